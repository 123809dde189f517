package kinds

type Cat struct{}

func (c *Cat) Purr() {}

type Cow struct{}

func (c Cow) Moo() {}

type Animal interface{ Eat() }

func (c *Cat) Eat() {}
func (c Cow) Eat()  {}

func look(a Animal) {
	switch one := a.(type) {
	case *Cat:
		one.Purr()
		// ^ calls: kinds.Cat.Purr
	case Cow:
		one.Moo()
		// ^ calls: kinds.Cow.Moo
	case nil:
	default:
		one.Eat()
		// ^ calls: kinds.Animal.Eat, kinds.Cat.Eat, kinds.Cow.Eat
	}
	if cat, ok := a.(*Cat); ok {
		cat.Purr()
		// ^ calls: kinds.Cat.Purr
	}
	switch a := a.(type) {
	case *Cat, Cow:
		a.Eat()
		// ^ calls: kinds.Animal.Eat, kinds.Cat.Eat, kinds.Cow.Eat
	}
}
