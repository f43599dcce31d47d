mkdir ../elsewhere
git init -q ../elsewhere
ln -s ../elsewhere docs
git add docs && git commit -qm clone
