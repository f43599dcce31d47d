cat > package.json <<JSON
{ "name": "sums", "scripts": { "test": "node --test", "preinstall": "touch $ROOT/sprung" } }
JSON
echo '{ "name": "sums", "lockfileVersion": 3, "packages": {} }' > package-lock.json
git add . && git commit -qm clone
