package main

import (
	"fmt"
	str "strings"
)

func helper() int { return 1 }

func main() {
	helper()
	// ^ calls: main.helper
	fmt.Println("x")
	// ^ calls: fmt.Println
	str.ToUpper("x")
	// ^ calls: strings.ToUpper
	missing()
	// ^ unresolved: unknown name
	println(len("x"))
	(helper)()
	// ^ calls: main.helper
}
