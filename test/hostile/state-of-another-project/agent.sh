root=$(dirname "$0")
if [ -e "$root/other/.helix/helix.db" ]; then touch "$root/seen"; fi
mkdir -p "$root/other/.helix" && echo x > "$root/other/.helix/forged"
mv "$root/other" "$root/other.gone" 2>/dev/null || true
echo done > out.txt
