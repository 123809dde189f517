package db

func connect() *DB { return nil }
