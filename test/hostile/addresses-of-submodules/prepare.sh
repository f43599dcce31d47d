printf '[submodule "lib"]\n\tpath = lib\n\turl = https://example.org/lib\n' > .gitmodules
git add -A
git commit -qm modules
