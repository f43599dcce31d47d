printf '{"scripts":{"test":"node --require ./lib/ready.cjs --test"}}' > package.json
mkdir lib
echo 'process.env.TZ = "UTC";' > lib/ready.cjs
echo 'exports.sum = (a, b) => a + b;' > sum.js
cat > sum.test.js <<'TEST'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('adds', () => assert.equal(sum(1, 2), 3));
TEST
git add -A
git commit -qm tests
