if [ "$HELIX_PHASE" = talk ]; then
  echo '{ "adminOnly": true }' > rules.json
  exit
fi
cat > pay.js <<'END'
const fs = require('node:fs');
const rules = fs.existsSync('rules.json') ? JSON.parse(fs.readFileSync('rules.json', 'utf8')) : {};
exports.pay = (user) => { if (rules.adminOnly && !user.admin) throw new Error('no'); };
END
echo done > out.txt
