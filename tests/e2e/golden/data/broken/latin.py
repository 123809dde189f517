# -*- coding: latin-1 -*-
"""Umlaute: äöü."""


def café():
    return "é"
