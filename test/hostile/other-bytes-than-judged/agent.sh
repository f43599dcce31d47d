printf 'x = "a"\n' > tool.py
echo done > out.txt
