mkdir rules
printf 'include rules/own.mk\ntest:\n\t$(CHECK)\n' > Makefile
echo 'CHECK = node --test' > rules/own.mk
printf 'require("node:test").test("x", () => {});' > a.test.js
git add -A
git commit -qm tests
