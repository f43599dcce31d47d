mkdir .helix
echo 'no database' > .helix/helix.db
git add --force .helix/helix.db
git commit -q -m work
