package lists

type Item struct{}

func (i Item) Use() {}

type List[T any] struct{ head *Node[T] }

type Node[V any] struct {
	value V
	next  *Node[V]
}

func (l *List[E]) First() E { return l.head.value }
func (l *List[E]) Rest() *List[E] {
	l.First()
	// ^ calls: lists.List.First
	return l
}

func Map[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0)
	for _, one := range in {
		out = append(out, f(one))
		// ^ unresolved: unknown value
	}
	return out
}

func Must[T any](value T, err error) T { return value }

func load() (Item, error) { return Item{}, nil }

type User interface{ Use() }

func UseAll[T User](items []T) {
	for _, one := range items {
		one.Use()
		// ^ calls: lists.User.Use, lists.Item.Use
	}
}

func run() {
	l := &List[Item]{}
	l.First().Use()
	// ^ calls: lists.List.First, lists.Item.Use
	l.Rest().First().Use()
	// ^ calls: lists.List.Rest, lists.List.First, lists.Item.Use
	Map([]int{1}, func(n int) Item { return Item{} })[0].Use()
	// ^ calls: lists.Map, lists.Item.Use
	Map[int, Item](nil, nil)[0].Use()
	// ^ calls: lists.Map, lists.Item.Use
	Must(load()).Use()
	// ^ calls: lists.Must, lists.load, lists.Item.Use
	UseAll[Item](nil)
	// ^ calls: lists.UseAll
}
