def spaced():
    return "é"
