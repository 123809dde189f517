package db

type DB struct{}

func Open() *DB { return connect() }
// ^ calls: db.connect

func (d *DB) Get() {}
