package org.example;

public final class Greeting {
    public static String greet(String name) {
        return "Hello, " + name + "!";
    }
}
