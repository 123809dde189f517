package sql

type Scanner interface{ Scan(src any) error }
