printf '{"scripts":{"test":"node --test; a=$?; sh lint.sh || exit $?; exit $a"}}' > package.json
echo '! grep -q TODO sum.js || exit 4' > lint.sh
echo 'exports.sum = (a, b) => a + b;' > sum.js
cat > sum.test.js <<'TEST'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('adds', () => assert.equal(sum(1, 2), 3));
test('wraps', () => assert.equal(sum(255, 1), 0));
TEST
git add -A
git commit -qm tests
