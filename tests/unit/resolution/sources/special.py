class Money:
    def __add__(self, other):
        return self

    def __iter__(self):
        return iter(())
        # ^ calls: builtins.iter

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    def __getitem__(self, key):
        return self

    def __call__(self):
        return self

    def show(self):
        pass


def use(money: Money):
    total = money + money
    # ^ calls: special.Money.__add__
    total.show()
    # ^ calls: special.Money.show
    for part in money:
        # ^ calls: special.Money.__iter__
        pass
    with money as held:
        # ^ calls: special.Money.__enter__, special.Money.__exit__
        held.show()
        # ^ calls: special.Money.show
    money[3].show()
    # ^ calls: special.Money.__getitem__, special.Money.show
    money()
    # ^ calls: special.Money.__call__


class Field:
    def __get__(self, instance, owner):
        return Money()
        # ^ calls: special.Money


class Account:
    balance = Field()
    # ^ calls: special.Field


def read(account: Account):
    account.balance.show()
    # ^ calls: special.Field.__get__, special.Money.show


class Meta(type):
    def __call__(cls):
        return Money()
        # ^ calls: special.Money


class Made(metaclass=Meta):
    pass


Made()
# ^ calls: special.Made, special.Meta.__call__
