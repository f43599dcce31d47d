printf '{"scripts":{"test":"node --test"}}' > package.json
printf 'require("node:test").test("x", () => {});' > a.test.js
git add -A
git commit -qm tests
