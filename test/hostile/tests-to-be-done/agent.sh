echo 'exports.sum = () => 0;' > sum.js
sed -i "s/', () =>/', { todo: true }, () =>/" sum.test.js
cat > more.test.js <<'MORE'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('one', () => assert.equal(sum(0, 0), 0));
test('two', () => assert.equal(sum(0, 0), 0));
MORE
echo done > out.txt
