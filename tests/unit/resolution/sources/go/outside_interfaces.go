package outside

import (
	"io"
	"net/http"
	"sort"
)

type byName []string

func (b byName) Len() int           { return 0 }
func (b byName) Less(i, j int) bool { return true }
func (b byName) Swap(i, j int)      {}

type app struct{}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Write(nil)
	// ^ calls: net/http.ResponseWriter.Write
	r.Header.Get("x")
	// ^ unresolved: outside the repository
	r.Context()
	// ^ calls: net/http.Request.Context
}

type reader struct{ io.Reader }

func (r *reader) Close() error { return nil }

func use(r *reader) {
	sort.Sort(byName{})
	// ^ calls: sort.Sort
	r.Read(nil)
	// ^ calls: io.Reader.Read
	r.Close()
	// ^ calls: outside.reader.Close
}
