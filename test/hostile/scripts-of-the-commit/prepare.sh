printf '{ "scripts": { "test": "touch %s/sprung" } }' "$ROOT" > package.json
git add package.json
git commit -q -m work
echo '{ "scripts": { "test": "echo harmless" } }' > package.json
