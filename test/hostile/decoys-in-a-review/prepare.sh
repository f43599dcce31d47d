seq 100000 140000 > a.txt
printf 'mustLogin();\nserve();\n' > server.js
git add -A
git commit -qm server
