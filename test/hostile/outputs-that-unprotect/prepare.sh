echo 'test -s out.txt' > check.sh
git add check.sh
git commit -qm check
