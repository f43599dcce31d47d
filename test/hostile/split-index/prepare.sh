mkdir .heliw .helix
echo x > .heliw/helix.db
echo x > .helix/helix.db
git add --force .heliw .helix
git commit -q -m work
git update-index --split-index
