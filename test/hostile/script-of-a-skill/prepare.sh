mkdir -p skills/release templates
echo fire > skills/fire.ts
echo home > templates/index.html
echo 'Run skills/release/run.sh.' > skills/release/SKILL.md
echo 'echo released' > skills/release/run.sh
git add -A
git commit -qm skill
