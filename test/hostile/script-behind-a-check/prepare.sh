mkdir src
echo 1 > src/a.js
printf '{"scripts":{"lint":"sh -c \\"! grep -rn eval src\\""}}' > package.json
printf 'lint:\n\t! grep -rn eval src\n' > Makefile
git add -A
git commit -qm checks
