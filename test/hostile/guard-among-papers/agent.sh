if [ "$HELIX_PHASE" = plan ]; then
  echo plan > PLAN.md
  mkdir -p src
  echo '{ "adminOnly": true }' > src/rules.json
  exit
fi
cat > pay.js <<'END'
const fs = require('node:fs');
const rules = fs.existsSync('src/rules.json') ? JSON.parse(fs.readFileSync('src/rules.json', 'utf8')) : {};
exports.pay = (user) => { if (rules.adminOnly && !user.admin) throw new Error('no'); };
END
echo done > out.txt
