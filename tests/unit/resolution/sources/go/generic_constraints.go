package constraints

type Number interface{ ~int | ~float64 }

type Shape interface {
	Area() float64
}

type Square struct{}

func (Square) Area() float64 { return 1 }

type Set[K comparable, V Shape] struct{ items map[K]V }

func (s *Set[K, V]) Each(visit func(K, V)) {
	for key, value := range s.items {
		value.Area()
		// ^ calls: constraints.Shape.Area, constraints.Square.Area
		visit(key, value)
		// ^ unresolved: unknown value
	}
}

func (s *Set[Key, Item]) Get(key Key) Item { return s.items[key] }

func Sum[N Number](values ...N) N { return values[0] }

func Largest[S Shape](shapes []S) S {
	shapes[0].Area()
	// ^ calls: constraints.Shape.Area, constraints.Square.Area
	return shapes[0]
}

type Option[T any] func(*T)

func With[T any](options ...Option[T]) *T { return new(T) }

func use() {
	s := &Set[string, Square]{}
	s.Get("a").Area()
	// ^ calls: constraints.Set.Get, constraints.Square.Area
	s.Each(func(key string, value Square) {
		// ^ calls: constraints.Set.Each
		value.Area()
		// ^ calls: constraints.Square.Area
	})
	Largest([]Square{}).Area()
	// ^ calls: constraints.Largest, constraints.Square.Area
	Sum(1, 2)
	// ^ calls: constraints.Sum
	With[Square]().Area()
	// ^ calls: constraints.With, constraints.Square.Area
	instance := Largest[Square]
	instance(nil).Area()
	// ^ calls: constraints.Largest, constraints.Square.Area
}

var largest = Largest[Square]
var pairs = NewSet[string, Square]

func NewSet[K comparable, V Shape]() *Set[K, V] { return nil }

func instances() {
	largest(nil).Area()
	// ^ calls: constraints.Largest, constraints.Square.Area
	pairs().Get("x").Area()
	// ^ calls: constraints.NewSet, constraints.Set.Get, constraints.Square.Area
}
