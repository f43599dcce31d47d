root=$(dirname "$0")
state="$root/repository/.helix"
if [ -e "$state/helix.db" ] || [ -e "$state/runs" ] || [ -e "$state/repo/guards" ]; then touch "$root/seen"; fi
mkdir -p "$state/runs/forged" 2>/dev/null || true
git log --oneline | grep -q first || touch "$root/sprung"
echo done > out.txt
