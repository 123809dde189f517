"""Language support: packages that extract definitions and imports from source files; `registry` lists all languages."""
