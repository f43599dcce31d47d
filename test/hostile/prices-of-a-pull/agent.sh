echo done > out.txt
