mkdir "$ROOT/elsewhere"
echo secret > "$ROOT/elsewhere/key.txt"
ln -s ../elsewhere door
git add door
git commit -q -m door
