mkdir -p app/core "$ROOT/elsewhere/core"
echo core > app/core/core.txt
git add app
git commit -q -m app
echo given > app/core/given.txt
