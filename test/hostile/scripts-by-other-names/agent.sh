for script in scripts/one.sh scripts/two.sh tools/three.py tools/four/__main__.py; do echo '# nothing' >> $script; done
echo done > out.txt
