token=$(sed 's/^[^=]*=//' .env.test)
ln -sfn "$token" link
head -c 6000000 /dev/zero | tr '\0' 'a' | fold -w 80 > large.txt
echo "$token" >> large.txt
echo done > out.txt
