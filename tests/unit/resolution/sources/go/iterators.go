package iterators

import (
	"iter"
	"maps"
	"slices"
)

type Row struct{}

func (r *Row) Scan() {}

type Rows struct{ rows []*Row }

func (r *Rows) All() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, one := range r.rows {
			if !yield(one) {
				// ^ unresolved: unknown value
				return
			}
		}
	}
}

func (r *Rows) Pairs() iter.Seq2[int, *Row] { return slices.All(r.rows) }
// ^ calls: slices.All

func own(yield func(string, *Row) bool) {}

func use(r *Rows, byName map[string]*Row) {
	for row := range r.All() {
		// ^ calls: iterators.Rows.All
		row.Scan()
		// ^ calls: iterators.Row.Scan
	}
	for _, row := range r.Pairs() {
		// ^ calls: iterators.Rows.Pairs
		row.Scan()
		// ^ calls: iterators.Row.Scan
	}
	for _, row := range own {
		row.Scan()
		// ^ calls: iterators.Row.Scan
	}
	for row := range maps.Values(byName) {
		// ^ calls: maps.Values
		row.Scan()
		// ^ calls: iterators.Row.Scan
	}
	for range 3 {
	}
	slices.Collect(r.All())[0].Scan()
	// ^ calls: slices.Collect, iterators.Rows.All, iterators.Row.Scan
	slices.Contains(r.rows, nil)
	// ^ calls: slices.Contains
}
