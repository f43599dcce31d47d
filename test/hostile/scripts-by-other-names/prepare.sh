mkdir -p scripts tools/four
echo 'exit 0' > scripts/one.sh
echo 'exit 0' > scripts/two.sh
echo 'pass' > tools/three.py
echo 'pass' > tools/four/__main__.py
git add -A
git commit -qm checks
