//go:build !linux && !windows

package clock

func read() int { return 3 }
