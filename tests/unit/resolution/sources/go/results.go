package results

type One struct{}

func (o *One) Next() (*One, error)        { return o, nil }
func (o *One) Both() (first, second *One) { return o, o }

func pair() (*One, []One) { return nil, nil }

var left, right = pair()
// ^ calls: results.pair

func named() (result *One) {
	result.Next()
	// ^ calls: results.One.Next
	return
}

func use() {
	one, err := named().Next()
	// ^ calls: results.named, results.One.Next
	if err == nil {
		one.Next()
		// ^ calls: results.One.Next
	}
	a, b := one.Both()
	// ^ calls: results.One.Both
	a.Next()
	// ^ calls: results.One.Next
	b.Next()
	// ^ calls: results.One.Next
	_, list := pair()
	// ^ calls: results.pair
	list[0].Next()
	// ^ calls: results.One.Next
	left.Next()
	// ^ calls: results.One.Next
	right[0].Next()
	// ^ calls: results.One.Next
	var c, d = pair()
	// ^ calls: results.pair
	c.Next()
	// ^ calls: results.One.Next
	d[1:][0].Next()
	// ^ calls: results.One.Next
}
