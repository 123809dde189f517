import lazy
from lazy import Pump, default


def start():
    lazy.motor.run()
    # ^ calls: lazy.__getattr__, engine.Engine.run
    lazy.known()
    # ^ calls: lazy.known
    default.run()
    # ^ calls: engine.Engine.run
    Pump().start()
    # ^ calls: engine.Pump, engine.Pump.start
    lazy.Valve().open()
    # ^ calls: lazy.__getattr__, engine.Valve, engine.Valve.open
