printf '*.py working-tree-encoding=ISO646-DE\n' > .gitattributes
git add .gitattributes
git commit -qm attributes
