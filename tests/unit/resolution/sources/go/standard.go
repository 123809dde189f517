package std

import (
	"slices"
	"sync"
	"sync/atomic"
)

type Engine struct{ current atomic.Pointer[Engine] }

func (e *Engine) Run() {}

var engine = sync.OnceValue(func() *Engine { return &Engine{} })
// ^ calls: sync.OnceValue

func run(engines []*Engine) {
	engine().Run()
	// ^ calls: std.Engine.Run
	// ^ unresolved: unknown value
	engine().current.Load().Run()
	// ^ calls: sync/atomic.Pointer.Load, std.Engine.Run
	// ^ unresolved: unknown value
	for _, one := range slices.Backward(engines) {
		// ^ calls: slices.Backward
		one.Run()
		// ^ calls: std.Engine.Run
	}
}
