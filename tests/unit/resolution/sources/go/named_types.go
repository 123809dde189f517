package named

import "net/http"

type Handler func(int) *Ctx

type Ctx struct{}

func (c *Ctx) Done() {}

func (h Handler) Serve(n int) *Ctx { return h(n) }
// ^ unresolved: unknown value

type Chain []Handler

func (c Chain) Last() Handler { return c[len(c)-1] }

type Table map[string]Chain

func (t Table) Get(name string) Chain { return t[name] }

type Level int

const (
	Low Level = iota
	High
)

func (l Level) String() string { return "" }

func plain(n int) *Ctx { return nil }

func use(t Table, c Chain) {
	t.Get("a").Last().Serve(1).Done()
	// ^ calls: named.Table.Get, named.Chain.Last, named.Handler.Serve, named.Ctx.Done
	c.Last()(1).Done()
	// ^ calls: named.Chain.Last, named.Ctx.Done
	// ^ unresolved: unknown value
	for _, one := range c {
		one.Serve(2)
		// ^ calls: named.Handler.Serve
	}
	for _, one := range t {
		one.Last()
		// ^ calls: named.Chain.Last
	}
	c[0].Serve(3)
	// ^ calls: named.Handler.Serve
	Handler(plain).Serve(4)
	// ^ calls: named.Handler.Serve
	High.String()
	// ^ calls: named.Level.String
	Level(3).String()
	// ^ calls: named.Level.String
	http.HandlerFunc(nil).ServeHTTP(nil, nil)
	// ^ calls: net/http.HandlerFunc
	// ^ unresolved: outside the repository
}
