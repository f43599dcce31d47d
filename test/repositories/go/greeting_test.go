package greeting

import "testing"

func TestGreetsByName(t *testing.T) {
	if got := Greet("Ada"); got != "Hello, Ada!" {
		t.Fatal(got)
	}
}
