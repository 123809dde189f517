"""Settings of a process.

Every package declares its own frozen settings; here they become sections of one tree. A value comes from, first wins: what the
caller gives (command line), the environment (`REPOQUARRY_<SECTION>_<FIELD>`), the TOML file (`[section] field = …`), the
default of the field. The names follow from the fields by rule, so that a new field is a setting without further code.
"""
