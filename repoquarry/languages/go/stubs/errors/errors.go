package errors

type Unwrap interface{ Unwrap() error }
type Is interface{ Is(target error) bool }
type As interface{ As(target any) bool }
