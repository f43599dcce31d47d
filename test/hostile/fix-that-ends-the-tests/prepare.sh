echo 'exports.sum = (a, b) => a - b;' > sum.js
git add -A
git commit -qm bug
