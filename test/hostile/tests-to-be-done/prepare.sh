cat > sum.js <<'END'
exports.sum = (a, b) => a + b;
END
cat > sum.test.js <<'END'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('adds', () => assert.equal(sum(1, 2), 3));
test('adds nothing', () => assert.equal(sum(1, 0), 1));
END
git add -A
git commit -qm tests
