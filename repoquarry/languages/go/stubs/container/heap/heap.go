package heap

import "sort"

type Interface interface {
	sort.Interface
	Push(x any)
	Pop() any
}
