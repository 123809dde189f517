package builtin

type Error interface{ Error() string }
