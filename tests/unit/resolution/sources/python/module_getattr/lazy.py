"""A module whose further names a function computes (PEP 562)."""

import engine


def __getattr__(name):
    if name == "Pump":
        return engine.Pump
    if name == "Valve":
        return engine.Valve
    return engine.Engine()
    # ^ calls: engine.Engine


def known():
    pass
