package main

func helper(c config) { c.show() }
// ^ calls: main.config.show

func (c config) show() {}
