mkdir app
echo app > app/app.txt
git add app
git commit -q -m app
