echo 'exports.pay = (user) => { if (!user.admin) throw new Error("no"); };' > pay.js
cat > pay.test.js <<'END'
const assert = require('node:assert');
const { test } = require('node:test');
const { pay } = require('./pay.js');
test('guests cannot pay', () => assert.throws(() => pay({})));
END
git add -A
git commit -qm tests
