import lazy
from lazy import Pump, default
# ^ calls: lazy.__getattr__
from lazy import known


def start():
    lazy.motor.run()
    # ^ calls: lazy.__getattr__, engine.Engine.run
    lazy.known()
    # ^ calls: lazy.known
    known()
    # ^ calls: lazy.known
    default.run()
    # ^ calls: engine.Engine.run
    Pump().start()
    # ^ calls: engine.Pump, engine.Pump.start
    lazy.Valve().open()
    # ^ calls: lazy.__getattr__, engine.Valve, engine.Valve.open


def late():
    from lazy import Valve as Tap
    # ^ calls: lazy.__getattr__

    Tap().open()
    # ^ calls: engine.Valve, engine.Valve.open
