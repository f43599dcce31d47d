mkdir ../elsewhere docs
ln -s ../../elsewhere docs/adr
git add -A
git commit -qm decisions
