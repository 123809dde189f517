"""Settings of a process, from command line, environment and a TOML file.

Every package declares a frozen dataclass of settings, which is a section of one tree. The first source with a value wins: command
line, environment (`REPOQUARRY_<SECTION>_<FIELD>`), TOML file (`[section] field = …`), default of the field. Names follow from the
fields by rule, so that a new field is a setting without further code.
"""
