package second

func Second() {}
