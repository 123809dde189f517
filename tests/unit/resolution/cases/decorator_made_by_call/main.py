def action(function=None, *, permissions=None):
    def decorator(func):
        func.permissions = permissions
        return func

    if function is None:
        return decorator
    return decorator(function)


@action
def publish():
    pass


@action(permissions=["change"])
def withdraw():
    pass


def use():
    publish()
    withdraw()
