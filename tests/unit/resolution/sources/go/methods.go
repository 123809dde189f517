package shapes

type Point struct{ x, y int }

func NewPoint(x int) *Point { return &Point{x, 0} }

func (p Point) Norm() int   { return p.x }
func (p *Point) Move(d int) { p.x += d }

func (p *Point) Both() int {
	p.Move(1)
	// ^ calls: shapes.Point.Move
	return p.Norm()
	// ^ calls: shapes.Point.Norm
}

func byParameter(p *Point, q Point) {
	p.Move(1)
	// ^ calls: shapes.Point.Move
	q.Norm()
	// ^ calls: shapes.Point.Norm
}

func byFirstValue() {
	p := NewPoint(1)
	// ^ calls: shapes.NewPoint
	p.Move(2)
	// ^ calls: shapes.Point.Move
	q := Point{1, 2}
	q.Norm()
	// ^ calls: shapes.Point.Norm
	r := &q
	r.Norm()
	// ^ calls: shapes.Point.Norm
	(*r).Norm()
	// ^ calls: shapes.Point.Norm
	var s Point
	s.Norm()
	// ^ calls: shapes.Point.Norm
	NewPoint(1).Both()
	// ^ calls: shapes.NewPoint, shapes.Point.Both
	new(Point).Both()
	// ^ calls: shapes.Point.Both
}

func byExpression() {
	Point.Norm(Point{})
	// ^ calls: shapes.Point.Norm
	(*Point).Move(nil, 1)
	// ^ calls: shapes.Point.Move
	norm := Point{}.Norm
	norm()
	// ^ calls: shapes.Point.Norm
}
