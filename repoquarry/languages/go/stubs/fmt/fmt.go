package fmt

type Stringer interface{ String() string }
type GoStringer interface{ GoString() string }
type Formatter interface{ Format(f State, verb rune) }
type State interface{ Width() (wid int, ok bool) }
