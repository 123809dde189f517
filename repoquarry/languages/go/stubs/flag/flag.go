package flag

type Value interface {
	String() string
	Set(value string) error
}
