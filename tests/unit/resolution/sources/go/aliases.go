package aliases

type Real struct{}

func (r *Real) Work() {}

type Same = Real
type Pointer = *Real
type Pair[T any] struct{ left, right T }

func (p Pair[T]) Left() T { return p.left }

type Reals = Pair[Real]

func use(s Same, p Pointer, r Reals) {
	s.Work()
	// ^ calls: aliases.Real.Work
	p.Work()
	// ^ calls: aliases.Real.Work
	r.Left().Work()
	// ^ calls: aliases.Pair.Left, aliases.Real.Work
	(&Same{}).Work()
	// ^ calls: aliases.Real.Work
}
