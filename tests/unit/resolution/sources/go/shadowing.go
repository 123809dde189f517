package shadow

import "fmt"

type A struct{}

func (A) Go() {}

type B struct{}

func (B) Go() {}

var thing A

func len(x int) A { return A{} }

func use(fmt B) {
	fmt.Go()
	// ^ calls: shadow.B.Go
	thing.Go()
	// ^ calls: shadow.A.Go
	thing := B{}
	thing.Go()
	// ^ calls: shadow.B.Go
	if thing := (A{}); true {
		thing.Go()
		// ^ calls: shadow.A.Go
	}
	thing.Go()
	// ^ calls: shadow.B.Go
	len(1).Go()
	// ^ calls: shadow.len, shadow.A.Go
	for _, thing := range []A{} {
		thing.Go()
		// ^ calls: shadow.A.Go
	}
	{
		thing := A{}
		thing.Go()
		// ^ calls: shadow.A.Go
	}
}

func other() {
	fmt.Println(thing)
	// ^ calls: fmt.Println
}
