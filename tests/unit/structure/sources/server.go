// Package web serves things.
package web

import (
	"fmt"
	js "encoding/json"
	. "example.com/dsl"
	_ "example.com/driver"
)

// Early is a method that stands before its type.
func (s *Server) Early(a int, b string) (int, error) { //= method Server.Early
	if a > 0 {
		return fmt.Println(b)
	}
	return 0, nil
}

// Server answers requests.
// It has two lines.
type Server struct { //= class/struct Server
	Base
	*pool.Pool
	name string
}

type (
	Handler interface { //= class/interface Handler
		// Serve handles one request.
		Serve(r Request) error //= method Handler.Serve
		fmt.Stringer
	}
	Weekday int //= class/type Weekday
	Pair[K comparable, V any] struct { //= class/struct Pair
		k K
	}
)

func (p Pair[K, V]) Key() K { return p.k } //= method Pair.Key

func (Weekday) String() string { //= method Weekday.String
	f := func() string { return "closure" }
	return f()
}

func (e *Elsewhere) Far() {} //= method Elsewhere.Far

func Map[T, U any](xs []T, f func(T) U) []U { //= function Map
	type local struct{ n int } //= class/struct Map.local
	for range xs {
	}
	return nil
}

func init() {} //= function init

func init() {} //= function init#2
