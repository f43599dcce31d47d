import { Script } from '../../domain/plan/script.ts';
import { FileFindings } from './file-findings.ts';
import { type Reading, readYaml } from './read-yaml.ts';
import { readMap } from './schema-findings.ts';

/** How scripted.yaml is read: phases and written files have any name, an answer may be anything. */
const SCRIPT_READING: Reading = {
  names: new Set(['phases', 'writes', 'approvals']),
  free: new Set(['answer']),
  text: new Set(['writes', 'deletes', 'prints', 'result']),
};

/** Reads what the scripted agent is to do; what is wrong with it is among the findings. */
export function parseScript(path: string, text: string): { script: Script; findings: FileFindings } {
  const { yaml } = readYaml(path, text, SCRIPT_READING);
  const findings = new FileFindings(yaml);
  const script = readMap(Script, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  return { script, findings };
}
