"""Localisation of a task: the files and definitions that it is about, without a language model."""
