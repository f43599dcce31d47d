mkdir -p .helix/repo vendor/store/objects/info vendor/store/refs
printf '../../vendor/store\n' > .helix/repo/commondir
printf '[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tsmudge = "sh -c '\''touch %s/sprung; cat'\''"\n' "$ROOT" > vendor/store/config
printf '../../../.git/objects\n' > vendor/store/objects/info/alternates
touch vendor/store/refs/keep
printf '*.md filter=x\n' > .gitattributes
git add --all --force
git commit -q -m work
