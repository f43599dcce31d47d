for script in one.py two.sh three.sh four.sh tools/five.sh hidden/six.sh; do echo '# nothing' >> $script; done
echo done > out.txt
