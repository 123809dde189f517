"""One file per language: how a source file of that language becomes language-neutral facts."""
