seq 100000 180000 > rules.txt
git add -A
git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,vendor
git commit -qm rules
