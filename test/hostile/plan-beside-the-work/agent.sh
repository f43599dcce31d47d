echo 'do less' > helix/csv/request.md
echo done > out.txt
