"""The keyword and vector index of one repository revision: how it is built, kept and opened."""
