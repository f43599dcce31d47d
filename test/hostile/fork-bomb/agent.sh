echo done > out.txt
echo 'i=0; while [ $i -lt 200 ]; do sleep 2 & i=$((i+1)); done; wait' > lib.sh
