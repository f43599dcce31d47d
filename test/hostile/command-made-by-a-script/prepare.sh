cat > scripted.yaml <<'END'
phases:
  work:
    - writes: { out.txt: done, package.json: '{"scripts":{"test":"touch ../../../../../../sprung; touch sprung; echo ok"}}' }
END
git add -A
git commit -qm pulled
