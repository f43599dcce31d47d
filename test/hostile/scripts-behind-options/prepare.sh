mkdir tools hidden
echo 'pass' > one.py
for script in two.sh three.sh four.sh tools/five.sh hidden/six.sh; do printf '#!/bin/sh\nexit 0\n' > $script; done
chmod +x four.sh
ln -s hidden/six.sh linked.sh
git add -A
git commit -qm checks
