package streams

import "io"

type Reader interface{ Read() int }
type Closer interface{ Close() error }
type ReadCloser interface {
	Reader
	Closer
}

type file struct{}

func (f *file) Read() int    { return 1 }
func (f *file) Close() error { return nil }

type counting struct {
	Reader
	io.Writer
	count int
}

func (c *counting) Read() int {
	c.count++
	return c.Reader.Read()
	// ^ calls: streams.Reader.Read, streams.file.Read, streams.counting.Read
}

func open() ReadCloser { return &file{} }

func use(c *counting) {
	r := open()
	// ^ calls: streams.open
	defer r.Close()
	// ^ calls: streams.Closer.Close, streams.file.Close
	r.Read()
	// ^ calls: streams.Reader.Read, streams.file.Read, streams.counting.Read
	c.Read()
	// ^ calls: streams.counting.Read
	c.Write(nil)
	// ^ calls: io.Writer.Write
	var closer interface {
		Closer
		Flush() bool
	}
	closer.Flush()
	// ^ unresolved: unknown value
	closer.Close()
	// ^ calls: streams.Closer.Close, streams.file.Close
}
