mkdir -p docs/settings
echo 'max_attempts: 99' > docs/settings/escalation.yaml
ln -s docs/settings config
echo done > out.txt
