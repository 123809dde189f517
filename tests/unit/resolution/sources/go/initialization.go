package initial

type Registry struct{ count int }

func (r *Registry) Add(name string) *Registry { return r }

func create() *Registry { return &Registry{} }

var registry = create().
	// ^ calls: initial.create
	Add("a").
	// ^ calls: initial.Registry.Add
	Add("b")
// ^ calls: initial.Registry.Add

var (
	first  = registry.Add("c")
	// ^ calls: initial.Registry.Add
	second = first
	third  *Registry
)

func init() {
	second.Add("d")
	// ^ calls: initial.Registry.Add
}

func init() {
	third.Add("e")
	// ^ calls: initial.Registry.Add
}

var hook = func(r *Registry) {
	r.Add("f")
	// ^ calls: initial.Registry.Add
}
