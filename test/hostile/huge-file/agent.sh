echo done > out.txt
echo 'head -c 8M /dev/zero > big' > lib.sh
