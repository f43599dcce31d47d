mkdir -p docs/settings etc
echo 'escalation: { max_retries_per_level: 2 }' > docs/settings/escalation.yaml
ln -s docs/settings config
mv helix.yaml etc/helix.yaml
ln -s etc/helix.yaml helix.yaml
git add -A
git commit -qm settings
