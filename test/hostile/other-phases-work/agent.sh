root=$(dirname "$0")
if ls "$root"/state/helix/trust "$root"/state/helix/cache-key "$root"/cache/helix/approvals 2>/dev/null | grep -q .; then touch "$root/seen"; fi
mkdir -p "$root/state/helix/trust" "$root/cache/helix/approvals"
echo '{"lines":[]}' > "$root/state/helix/trust/forged.json"
echo done > out.txt
