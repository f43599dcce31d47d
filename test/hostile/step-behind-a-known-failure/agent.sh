echo 'exports.sum = (a, b) => a + b; // TODO' > sum.js
echo done > out.txt
