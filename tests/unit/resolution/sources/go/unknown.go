package unknown

import (
	"example.com/lib"
	"example.com/lib/go-tools/v3"
	yaml "gopkg.in/yaml.v3"
)

type own struct{ lib.Client }

func (o *own) Run(any interface{}) {
	o.Send()
	// ^ calls: example.com/lib.Client.Send
	o.Client.Send().Wait()
	// ^ calls: example.com/lib.Client.Send
	// ^ unresolved: outside the repository
	tools.Fix(lib.Default.Name())
	// ^ calls: example.com/lib/go-tools/v3.Fix, example.com/lib.Default.Name
	yaml.Marshal(o)
	// ^ calls: gopkg.in/yaml.v3.Marshal
	lost.Find()
	// ^ unresolved: unknown receiver
	lost()
	// ^ unresolved: unknown name
	value, err := lib.Load()
	// ^ calls: example.com/lib.Load
	value.Close()
	// ^ unresolved: outside the repository
	err.Error()
	// ^ unresolved: outside the repository
	any.(lib.Closer).Close()
	// ^ calls: example.com/lib.Closer.Close
}

// Missing is declared in a file that is not read.
func missing(m Missing, list []int, all ...Missing) {
	m.Close()
	// ^ unresolved: unknown receiver
	all[0].Close()
	// ^ unresolved: unknown receiver
	list.Close()
	// ^ unresolved: unknown receiver
}
