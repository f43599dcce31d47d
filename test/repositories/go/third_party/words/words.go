package words

const Hello = "Hello"
