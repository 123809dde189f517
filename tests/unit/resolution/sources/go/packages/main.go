package main

import (
	"example.com/app/internal/store"
	. "example.com/app/v2"
	"example.com/other"
	"example.com/other/go-kit"
)

var shared = db.Open()
// ^ calls: db.Open

func main() {
	shared.Get()
	// ^ calls: db.DB.Get
	db.Open().Get()
	// ^ calls: db.Open, db.DB.Get
	Second()
	// ^ calls: second.Second
	other.Do().Then()
	// ^ calls: example.com/other.Do
	// ^ unresolved: outside the repository
	kit.Do()
	// ^ calls: example.com/other/go-kit.Do
	var remote other.Client
	remote.Send()
	// ^ calls: example.com/other.Client.Send
}
