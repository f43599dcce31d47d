if [ "$HELIX_PHASE" = work ]; then
  seq 200000 240000 > a.txt
  echo 'serve();' > server.js
  echo done > out.txt
elif grep -q '^-mustLogin' "$0.brief"; then
  echo '{"approved": false, "findings": [{"severity": "error", "file": "server.js", "message": "the login is gone"}]}' > review.json
else
  echo '{"approved": true, "findings": []}' > review.json
fi
