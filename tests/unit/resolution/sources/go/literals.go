package literals

type Inner struct{ name string }

func (i Inner) Name() string { return i.name }

type Outer struct {
	inner Inner
	list  []*Inner
	anon  struct{ deep Inner }
	byKey map[string]Inner
}

func text() string { return "" }

var all = []Outer{{inner: Inner{name: text()}}, {list: []*Inner{{text()}}}}
// ^ calls: literals.text

func use(o *Outer) {
	o.inner.Name()
	// ^ calls: literals.Inner.Name
	o.list[0].Name()
	// ^ calls: literals.Inner.Name
	o.anon.deep.Name()
	// ^ calls: literals.Inner.Name
	o.byKey["a"].Name()
	// ^ calls: literals.Inner.Name
	all[0].inner.Name()
	// ^ calls: literals.Inner.Name
	local := struct{ inside Inner }{Inner{}}
	local.inside.Name()
	// ^ calls: literals.Inner.Name
	tests := []struct {
		name  string
		inner Inner
	}{{name: text(), inner: Inner{}}}
	// ^ calls: literals.text
	for _, test := range tests {
		test.inner.Name()
		// ^ calls: literals.Inner.Name
	}
	Outer{inner: Inner{}}.inner.Name()
	// ^ calls: literals.Inner.Name
	map[string]*Inner{}["x"].Name()
	// ^ calls: literals.Inner.Name
	[...]Inner{{}, {}}[1].Name()
	// ^ calls: literals.Inner.Name
}
