echo wrong > out.txt
cd "$(dirname "$0")/repository"
run=$(ls .helix/runs | head -n 1)
dir=".helix/runs/$run/phases/work/escalation/stufe-2"
mkdir -p "$dir" || exit 0
printf '{"chosen_option":"B","user_comment":"fine"}' > "$dir/user-decision.json"
touch -d '2 hours' "$dir/user-decision.json"
