echo done > out.txt
echo 'head -c 300M /dev/zero | tail | wc -c' > lib.sh
