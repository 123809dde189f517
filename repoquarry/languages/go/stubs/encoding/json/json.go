package json

type Marshaler interface{ MarshalJSON() ([]byte, error) }
type Unmarshaler interface{ UnmarshalJSON(data []byte) error }
