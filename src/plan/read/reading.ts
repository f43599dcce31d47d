import type { Reading } from '../../text/yaml/read-yaml.ts';

const TEXT = `id name type description template experts skills model review_scope doc_types test_types tools focus depends_on
  dependencies input output approval_type target_phase feedback_template target agent rollback project_type complexity setup
  copy cache protected command checks file files language concept rules diff result_file driver env script roles database`;

/** How phases.yaml, helix.yaml and state.json are read: `id: 015` is "015", and `command: [sleep, 5]` is all text. */
export const PLAN_READING: Reading = { names: new Set(['agents']), free: new Set(), text: new Set(TEXT.split(/\s+/)) };
