git config filter.x.smudge "touch $ROOT/sprung; cat"
cp -r .git "$ROOT/store"
printf '../../store\n' > .git/commondir
