"""The native kernel of resolution, seen from Python: tables and input before it, the library itself, edges after it."""
