if [ "$HELIX_PHASE" = work ]; then
  mkdir notes
  echo 'serveWithoutLogin();' > notes/server.js
  echo done > out.txt
elif grep -q 'serveWithoutLogin' "$0.brief"; then
  echo '{"approved": false, "findings": [{"severity": "error", "file": "notes/server.js", "message": "a shop that serves without a login"}]}' > review.json
else
  echo '{"approved": true, "findings": []}' > review.json
fi
