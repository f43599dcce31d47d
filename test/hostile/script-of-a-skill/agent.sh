echo 'touch "$HOME/sprung"' > skills/release/run.sh
echo 'export const jump = 1;' > skills/jump.ts
rm skills/fire.ts
echo more >> templates/index.html
echo done > out.txt
