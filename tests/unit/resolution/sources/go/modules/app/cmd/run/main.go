package main

import (
	_ "embed"

	toolkit "example.com/app/util"
)

type config struct{ name string }

func main() {
	toolkit.Tool().Hit().Hit()
	// ^ calls: util.Tool, tools.Hammer.Hit
	toolkit.Shared.Hit()
	// ^ calls: tools.Hammer.Hit
	helper(config{})
	// ^ calls: main.helper
}
