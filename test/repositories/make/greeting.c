#include <stdio.h>

int main(int count, char **words) {
    printf("Hello, %s!\n", count > 1 ? words[1] : "World");
    return 0;
}
