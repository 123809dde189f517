package pointers

type Node struct {
	next  **Node
	value *[]*Node
}

func (n *Node) Visit() *Node { return n }

func use(n *Node, p **Node, list *[]Node) {
	(*p).Visit()
	// ^ calls: pointers.Node.Visit
	(*n.next).Visit()
	// ^ calls: pointers.Node.Visit
	(*list)[0].Visit()
	// ^ calls: pointers.Node.Visit
	(*n.value)[0].Visit().Visit()
	// ^ calls: pointers.Node.Visit
	q := &(*list)[0]
	q.Visit()
	// ^ calls: pointers.Node.Visit
	r := new(*Node)
	(*r).Visit()
	// ^ calls: pointers.Node.Visit
	for i := range *list {
		(*list)[i].Visit()
		// ^ calls: pointers.Node.Visit
	}
}
