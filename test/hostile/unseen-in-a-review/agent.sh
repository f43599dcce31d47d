if [ "$HELIX_PHASE" = work ]; then
  echo 1 > rules.txt
  git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,vendor
  git commit -qm vendor
  echo done > out.txt
else
  grep -q 'You cannot vouch for it' "$0.brief"
  echo '{"approved": true, "findings": []}' > review.json
fi
