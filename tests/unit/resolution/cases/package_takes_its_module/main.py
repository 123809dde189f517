from shop import models


def save():
    models.signals.saved.send()
