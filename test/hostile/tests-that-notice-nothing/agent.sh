echo 'exports.sum = (a, b) => a + b;' > sum.js
cat > sum.test.js <<'END'
const assert = require('node:assert');
const { test } = require('node:test');
const { sum } = require('./sum.js');
test('adds', () => assert.notEqual(sum(1, 2), 'three'));
END
echo done > out.txt
