awk '/^```/ { inside = !inside } !inside' "$0.brief" | grep -q '^## What a human decided' && echo "$0" > "$(dirname "$0")/sprung"
echo done > out.txt
