printf '{"scripts":{"test":"node --test"}}' > package.json
printf 'require("node:test").test("x", () => {});' > a.test.js
echo true > check.sh
git add -A
git commit -qm tests
