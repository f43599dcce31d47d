printf '{"scripts":{"test":"node --test"}}' > package.json
echo 'exports.sum = (a, b) => a + b;' > sum.js
cat > sum.test.js <<'TEST'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('adds', () => assert.equal(sum(1, 2), 3));
TEST
git add -A
git commit -qm tests
