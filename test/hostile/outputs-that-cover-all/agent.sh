echo done | tee out.txt > out.md
cd "$(git rev-parse --show-toplevel)"
echo 'do less' > helix/csv/request.md
echo smuggled > beside.txt
