echo '*.py working-tree-encoding=ISO646-DE' > .gitattributes
echo done > out.txt
