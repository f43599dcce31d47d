import { posix } from 'node:path';
import { criteriaFaults, criteriaIn } from '../../domain/documents/check-criteria.ts';
import { SpecFile } from '../../domain/documents/spec-file.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { defineGate } from '../gate/define-gate.ts';

const CHECK = 'spec_valid';
const LIMIT = 256 * 1024;
const OPEN = /\[needs[\s_-]*clarification/i;
const SHOWN = 20;

/** Passes when the specification has the form of one, says what can be checked, and leaves nothing to be clarified. */
export const specValid = defineGate({
  type: CHECK,
  settings: GATE_SETTINGS.spec_valid,
  judge: async ({ file }, { phase, tree }) => {
    const declared = phase.output.files.find((path) => posix.basename(path) === 'spec.yaml');
    const path = file ?? declared ?? 'spec.yaml';
    const size = tree.files.find((each) => each.path === path)?.size ?? 0;
    const text = size > LIMIT ? undefined : (await tree.read(path, LIMIT))?.toString('utf8');
    const findings =
      text === undefined
        ? [
            finding(path, {
              message: size > LIMIT ? `${path} is larger than ${LIMIT / 1024} KB` : `${path} is missing`,
              hint: 'A specification is a page.',
            }),
          ]
        : specFindings(path, text);
    return { kind: 'judged', outcome: hasError(findings) ? 'reject' : 'pass', findings };
  },
});

type Wrong = Pick<Finding, 'message' | 'hint'> & { readonly check?: string; readonly line?: number };

function finding(file: string, { check = CHECK, line, ...wrong }: Wrong): Finding {
  return { severity: 'error', check, ...wrong, location: { file, ...present({ line }) } };
}

/** Everything that is wrong with the text of a specification. */
function specFindings(path: string, text: string): Finding[] {
  const { value, complete, findings } = parseYaml(text, path);
  if (!complete) {
    const first = findings.find(({ severity }) => severity === 'error');
    const message = `${path} is no YAML${first === undefined ? '' : `: ${oneLine(first.message, 300)}`}`;
    const hint = 'It holds nothing but YAML: no prose around it, no fence.';
    return [finding(path, { message, hint, ...present({ line: first?.location?.line }) })];
  }
  const read = SpecFile.safeParse(value);
  if (!read.success) {
    return read.error.issues.slice(0, SHOWN).map((issue) => {
      const at = issue.path.join('.');
      const message = at === '' ? `${path} is not a map of YAML` : `${path}: ${at}: ${oneLine(issue.message, 300)}`;
      return finding(path, {
        message,
        hint: 'acceptance_criteria is a list: of texts, or of maps with id, text and check.',
      });
    });
  }
  const criteria = criteriaIn(read.data);
  return [
    ...(criteria.length === 0 ? [withoutCriteria(path)] : []),
    ...criteriaFaults(criteria)
      .slice(0, SHOWN)
      .map((fault) => finding(path, fault)),
    ...openPlaces(path, text),
  ];
}

/** Work can be done without them, but nobody can tell afterwards whether it is what was asked for. */
function withoutCriteria(path: string): Finding {
  const hint = 'Say by what it can be seen that the work is done.';
  return { ...finding(path, { message: `${path} has no acceptance_criteria`, hint }), severity: 'warning' };
}

/** What its author left to be clarified would be guessed by whoever builds it. */
function openPlaces(path: string, text: string): Finding[] {
  const lines = text.split('\n').flatMap((line, index) => (OPEN.test(line) ? [{ line: index + 1, words: line }] : []));
  return lines.slice(0, SHOWN).map(({ line, words }) =>
    finding(path, {
      check: 'needs-clarification',
      message: `it is left open: ${oneLine(words, 300)}`,
      hint: 'Decide it as the answers and the request suggest, and mark it [ASSUMED]; or take it out of the scope.',
      line,
    }),
  );
}
