if [ "$HELIX_PHASE" = work ]; then
  rm lib/auth.js lib/was-a-link.js
  ln -s stub.js lib/auth.js
  echo 'open();' > lib/was-a-link.js
  echo done > out.txt
elif grep -q 'lib/auth.js.*link to "stub.js", before: a file' "$0.brief" && grep -q 'lib/was-a-link.js.*a file, before: link to "stub.js"' "$0.brief"; then
  echo '{"approved": false, "findings": [{"severity": "error", "file": "lib/auth.js", "message": "the login is a link to nothing of the kind"}]}' > review.json
else
  echo '{"approved": true, "findings": []}' > review.json
fi
