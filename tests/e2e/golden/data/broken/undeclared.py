def undeclared():
    return "é"
