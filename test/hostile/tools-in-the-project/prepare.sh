mkdir tools
for tool in cp env false find git node readlink rm true; do
  printf '#!/bin/sh\n/usr/bin/touch "%s/sprung"\nexit 1\n' "$ROOT" > "tools/$tool"
  chmod +x "tools/$tool"
  ln -s "tools/$tool" "$tool"
done
git add -A
git commit -qm tools
