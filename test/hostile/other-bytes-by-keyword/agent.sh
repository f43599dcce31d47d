printf 'if len("$Id$") > 4:\n    print("sprung")\n' > tool.py
printf 'echo a \\\nb\n' > run.sh
echo done > out.txt
