def many(thing):
    thing.run()
    # ^ unresolved: many targets


class A:
    def run(self):
        pass


class B:
    def run(self):
        pass


class C:
    def run(self):
        pass


class D:
    def run(self):
        pass


class E:
    def run(self):
        pass


class F:
    def run(self):
        pass


class G:
    def run(self):
        pass


class H:
    def run(self):
        pass


class I:
    def run(self):
        pass


many(A())
# ^ calls: many.many, many.A
many(B())
# ^ calls: many.many, many.B
many(C())
# ^ calls: many.many, many.C
many(D())
# ^ calls: many.many, many.D
many(E())
# ^ calls: many.many, many.E
many(F())
# ^ calls: many.many, many.F
many(G())
# ^ calls: many.many, many.G
many(H())
# ^ calls: many.many, many.H
many(I())
# ^ calls: many.many, many.I

handlers = [A.run, B.run, C.run, D.run, E.run, F.run, G.run, H.run, I.run]
for handler in handlers:
    handler(None)
    # ^ calls: many.A.run, many.B.run, many.C.run, many.D.run, many.E.run, many.F.run, many.G.run, many.H.run, many.I.run
