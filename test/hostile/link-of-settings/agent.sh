echo 'escalation: { max_retries_per_level: 9 }' > docs/settings/escalation.yaml
echo '# more' >> etc/helix.yaml
echo done > out.txt
