"""A module with a syntax error between two functions."""


def before():
    return 1


def torn(first, (second:
    return first +


def after():
    return before()
