echo 'exports.sum = (a, b) => a - b;' > sum.js
printf 'require("node:test").test("adds", () => {});' > sum.test.js
git add -A
git commit -qm tests
