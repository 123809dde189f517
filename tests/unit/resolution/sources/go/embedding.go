package animals

type Base struct{ name string }

func (b *Base) Name() string { return b.name }
func (b *Base) Sound()       {}

type Legs struct{ count int }

func (l Legs) Walk() {}

type Dog struct {
	*Base
	Legs
}

func (d *Dog) Sound() {
	d.Base.Sound()
	// ^ calls: animals.Base.Sound
	d.Name()
	// ^ calls: animals.Base.Name
}

type Puppy struct{ Dog }

func use(p Puppy) {
	p.Sound()
	// ^ calls: animals.Dog.Sound
	p.Walk()
	// ^ calls: animals.Legs.Walk
	p.Name()
	// ^ calls: animals.Base.Name
	p.Dog.Base.Sound()
	// ^ calls: animals.Base.Sound
}
