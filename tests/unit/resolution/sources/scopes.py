def helper():
    pass


def other():
    pass


def outer():
    def inner():
        helper()
        # ^ calls: scopes.helper

    inner()
    # ^ calls: scopes.outer.inner
    return inner


outer()()
# ^ calls: scopes.outer, scopes.outer.inner


def counter():
    step = helper

    def advance():
        nonlocal step
        step = other

    def run():
        step()
        # ^ calls: scopes.helper, scopes.other

    advance()
    # ^ calls: scopes.counter.advance
    run()
    # ^ calls: scopes.counter.run


current = helper


def replace():
    global current
    current = other


def use():
    current()
    # ^ calls: scopes.helper, scopes.other


class Body:
    helper = other

    def method(self):
        helper()
        # ^ calls: scopes.helper
        self.helper()
        # ^ calls: scopes.other


squares = [helper() for helper in [other]]
# ^ calls: scopes.other
helper()
# ^ calls: scopes.helper
