"""Signals and event emitters: what is registered is run where the signal is sent."""
from blinker import Signal as Blinker
from django.db.models.signals import post_save
from django.dispatch import Signal, receiver
from pyee import EventEmitter

paid = Signal()
# ^ calls: django.dispatch.Signal
refunded = Signal()
# ^ calls: django.dispatch.Signal
started = Blinker()
# ^ calls: blinker.Signal
bus = EventEmitter()
# ^ calls: pyee.EventEmitter


def on_paid(sender, **kwargs):
    pass


paid.connect(on_paid)
# ^ calls: django.dispatch.Signal.connect


@receiver([paid, refunded])
# ^ calls: django.dispatch.receiver
def on_both(sender, **kwargs):
    pass


@receiver(post_save, sender=object)
# ^ calls: django.dispatch.receiver
def on_save(sender, **kwargs):
    pass


@started.connect
# ^ calls: blinker.Signal.connect
def on_start(sender):
    pass


@bus.on("ready")
# ^ calls: pyee.EventEmitter.on
#
def on_ready():
    pass


def pay():
    paid.send(sender=None)
    # ^ calls: signals.on_paid, signals.on_both, django.dispatch.Signal.send
    # the interface of Django has the member
    refunded.send_robust(sender=None)
    # ^ calls: signals.on_both, django.dispatch.Signal.send_robust
    # the interface of Django has the member
    started.send(None)
    # ^ calls: signals.on_start
    # ^ unresolved: outside the repository
    bus.emit("ready")
    # ^ calls: pyee.EventEmitter.emit, signals.on_ready
    bus.emit("other")
    # ^ calls: pyee.EventEmitter.emit


class Own:
    """An emitter of the program: its own code says what it runs."""

    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers[name] = handler

    def emit(self, name):
        self.handlers[name]()
        # ^ calls: signals.on_both


own = Own()
# ^ calls: signals.Own, signals.Own.__init__
own.on("ready", on_both)
# ^ calls: signals.Own.on
own.emit("ready")
# ^ calls: signals.Own.emit
