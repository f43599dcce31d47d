mkdir -p .GitHub/workflows
echo 'on: push' > .GitHub/workflows/ci.yml
echo 'phases: []' > Phases.yaml
echo other > "$(printf 'read\342\200\213me.md')"
echo other > README.md
echo done > out.txt
