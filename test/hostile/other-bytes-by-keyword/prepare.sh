printf '*.py ident\n*.sh text eol=crlf\n' > .gitattributes
git add .gitattributes
git commit -qm attributes
