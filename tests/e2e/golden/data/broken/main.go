func main() {
	fmt.Println("no package"
}

func rest() {}
