cd "$(dirname "$0")/repository"
echo done > "$OLDPWD/out.txt"
asked=$(ls -d .helix/runs/*/phases/work/escalation/stufe-2 2>/dev/null | head -n 1)
if [ -z "$asked" ]; then
  mkdir -p "$OLDPWD/.github/workflows"
  echo 'on: push' > "$OLDPWD/.github/workflows/x.yml"
  exit 0
fi
printf '{"chosen_option":"B","user_comment":"fine"}' > "$asked/user-decision.json"
