echo one > "$(printf 'a\377.txt')"
echo two > "$(printf 'a\376.txt')"
echo done > out.txt
