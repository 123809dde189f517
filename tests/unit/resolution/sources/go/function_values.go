package values

type Tool struct{}

func (t Tool) Hit() Tool { return t }

func make_tool() Tool { return Tool{} }

var build = make_tool

var table = map[string]func() Tool{"a": make_tool}

func apply(f func() Tool) Tool { return f() }
// ^ unresolved: unknown value

func run() {
	build().Hit()
	// ^ calls: values.make_tool, values.Tool.Hit
	table["a"]().Hit()
	// ^ calls: values.Tool.Hit
	// ^ unresolved: unknown value
	apply(make_tool).Hit()
	// ^ calls: values.apply, values.Tool.Hit
	local := make_tool
	local().Hit()
	// ^ calls: values.make_tool, values.Tool.Hit
	hit := Tool.Hit
	hit(Tool{}).Hit()
	// ^ calls: values.Tool.Hit
}
