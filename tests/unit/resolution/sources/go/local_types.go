package local

type Base struct{}

func (Base) Up() {}

func use() {
	type Local struct {
		Base
		other []Base
	}
	type Wrapped struct{ local Local }
	var l Local
	l.Up()
	// ^ calls: local.Base.Up
	l.other[0].Up()
	// ^ calls: local.Base.Up
	w := Wrapped{l}
	w.local.Up()
	// ^ calls: local.Base.Up
	const size = 3
	var lists [size]Local
	lists[0].Up()
	// ^ calls: local.Base.Up
}
