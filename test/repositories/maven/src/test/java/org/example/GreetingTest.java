package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GreetingTest {
    @Test
    void greetsByName() {
        assertEquals("Hello, Ada!", Greeting.greet("Ada"));
    }
}
