if [ "$HELIX_PHASE" = work ]; then echo work > out.txt; exit; fi
echo smuggled > out.txt
echo smuggled > more.txt
echo '{"approved": true}' > review.json
