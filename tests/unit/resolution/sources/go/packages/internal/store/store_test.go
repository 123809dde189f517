package db_test

import (
	"testing"

	"example.com/app/internal/store"
)

func TestOpen(t *testing.T) {
	db.Open().Get()
	// ^ calls: db.Open, db.DB.Get
	t.Fatal("x")
	// ^ calls: testing.T.Fatal
}
