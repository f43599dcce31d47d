mkdir -p config
echo 'max_attempts: 99' > config/escalation.yaml
echo done > out.txt
