package util

import "example.com/tools"

func Tool() *tools.Hammer { return tools.New() }
// ^ calls: tools.New

var Shared = Tool()
// ^ calls: util.Tool
