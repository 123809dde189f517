import functools


class Card:
    def rank(self):
        pass

    def suit(self):
        pass


def by_rank(card):
    return card.rank()


cards = [Card()]
sorted(cards, key=by_rank)
cards.sort(key=lambda card: card.suit())
functools.reduce(lambda one, other: other, cards).rank()
