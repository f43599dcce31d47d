echo smuggled > ../beside.txt
echo done > out.txt
