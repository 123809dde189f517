def mixed():
	if True:
        return 1
