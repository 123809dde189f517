def marked():
    return 1


def twice():
    return marked() + marked()
