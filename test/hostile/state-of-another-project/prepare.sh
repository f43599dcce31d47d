mkdir -p ../other
cat > ../other/phases.yaml <<'PLAN'
project: { name: other, description: Another project }
phases: [{ id: work, type: development, output: [out.txt] }]
PLAN
