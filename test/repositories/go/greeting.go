package greeting

import "example.org/words"

func Greet(name string) string { return words.Hello + ", " + name + "!" }
