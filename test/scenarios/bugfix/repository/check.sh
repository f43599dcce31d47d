# Calls each file of test/ a test, and says in TAP what came of it.
n=0
status=0
for test in test/*.sh; do
  n=$((n + 1))
  if sh "$test"; then echo "ok $n - $test"; else
    echo "not ok $n - $test"
    status=1
  fi
done
echo "1..$n"
exit "$status"
