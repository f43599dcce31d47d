mkdir -p docs/adr ../elsewhere
printf '# 1. Keep it\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Consequences\n\nx\n' > docs/adr/0001-keep-it.md
printf '<!-- helix-adr-index -->\n<!-- /helix-adr-index -->\n' > ../elsewhere/mine.md
cp -r ../elsewhere ../before
ln -s ../../../elsewhere/mine.md docs/adr/README.md
ln -s ../elsewhere/new.json baseline.json
git add . && git commit -qm clone
