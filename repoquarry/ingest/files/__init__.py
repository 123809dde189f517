"""Files of a checkout to texts and facts."""
