import type { Finding } from '../../domain/finding.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Project } from '../../ports/project.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { readYaml } from '../../text/yaml/read-yaml.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { Ancestry } from '../build/order.ts';
import { type GateType, parseGate } from '../build/parse-gate.ts';
import { checkCommands, type FindProgram } from '../check/check-commands.ts';
import { checkPaths } from '../check/check-paths.ts';
import type { CheckedPhase, PlanCheck } from '../check/plan-check.ts';
import { ProjectFiles } from '../read/project-files.ts';
import { PLAN_READING } from '../read/reading.ts';
import type { Growing, WrittenFile } from './growing.ts';

const READING = { ...PLAN_READING, text: new Set([...PLAN_READING.text, 'phase', 'criteria', 'version']) };
const MOST_GATES = 200;
const MAX_ID = 200;
const KEYS = ['version', 'gates'];

type Reading = {
  readonly growing: Growing;
  readonly gates: readonly GateType[];
  readonly work: Project;
  readonly own: Project;
  readonly findProgram: FindProgram;
};
type Added = { readonly phases: Phase[]; readonly findings: readonly Finding[] };

/** The phases with the gates that quality-gates.yaml adds to them; what they have stays, and so do all they are asked. */
export async function addGates(
  file: WrittenFile | undefined,
  checked: readonly CheckedPhase[],
  reading: Reading,
): Promise<Added> {
  const phases = checked.map(({ phase }) => phase);
  if (file === undefined || file.text.trim() === '') return { phases, findings: [] };
  const { yaml } = readYaml(file.path, file.text, READING);
  const findings = new FileFindings(yaml);
  if (!yaml.complete) return { phases, findings: findings.sorted };
  const gates = gatesIn(yaml.value, findings);
  const added = gates.flatMap((entry, index) => oneGate(entry, ['gates', index], { ...reading, phases, findings }));
  await checkGates(added, checked, { ...reading, findings });
  return {
    phases: phases.map((phase) =>
      added.filter(({ id }) => id === phase.id).reduce((to, { gate }) => withGate(to, gate), phase),
    ),
    findings: findings.sorted,
  };
}

function gatesIn(value: unknown, findings: FileFindings): readonly unknown[] {
  if (value === null || value === undefined) return [];
  const hint = 'write "gates:" and below it a list of gates, each with a type and the phase it belongs to';
  if (!isRecord(value) || !Array.isArray(value.gates)) {
    findings.error([], { check: 'no-gates', message: 'the file must be a map with the list "gates"', hint });
    return [];
  }
  for (const key of Object.keys(value).filter((each) => !KEYS.includes(each))) {
    findings.errorAtKey([key], {
      check: 'unknown-key',
      message: `unknown key "${oneLine(key, 60)}"`,
      hint: suggestion(key, KEYS),
    });
  }
  if (value.gates.length <= MOST_GATES) return value.gates;
  findings.error(['gates'], {
    check: 'too-many-gates',
    message: `${value.gates.length} gates are more than ${MOST_GATES}`,
    hint: 'say each thing once',
  });
  return [];
}

type OneGate = { readonly id: string; readonly gate: Gate; readonly path: YamlPath };

/** Their paths and programs are checked like those of any gate, and told where they are written. */
async function checkGates(
  added: readonly OneGate[],
  checked: readonly CheckedPhase[],
  { work, own, findProgram, growing, findings }: Reading & { readonly findings: FileFindings },
): Promise<void> {
  const phases = checked.flatMap(({ draft, phase }) => {
    const gates = added.filter(({ id }) => id === phase.id).map(({ gate, path }) => ({ ...gate, path }));
    return gates.length === 0 ? [] : [{ draft: { ...draft, path: gates[0]?.path ?? [], entry: {}, gates }, phase }];
  });
  const check: PlanCheck = {
    ...{ header: {}, phases, findings, mode: growing.plan.workspace.mode },
    ancestry: new Ancestry(checked.map(({ phase }) => phase)),
    files: new ProjectFiles(work),
    own: new ProjectFiles(own),
  };
  checkPaths(check);
  await checkCommands(check, findProgram);
}

type Place = Omit<Reading, 'work' | 'own' | 'findProgram'> & {
  readonly phases: readonly Phase[];
  readonly findings: FileFindings;
};

function oneGate(entry: unknown, path: YamlPath, place: Place): OneGate[] {
  const { growing, gates: own, phases, findings } = place;
  if (!isRecord(entry)) {
    findings.error(path, { check: 'invalid-value', message: 'a gate must be a map', hint: 'start it with "- id:"' });
    return [];
  }
  const { id: _id, name: _name, criteria: shown, phase: named, ...rest } = entry;
  // Criteria alone are for people and judges to read.
  if (rest.type === undefined) return [];
  // People write free words beside the ids; only an id can be followed to what it stands for.
  const criteria = [shown ?? []]
    .flat()
    .map(String)
    .filter((each) => each !== '' && each.length <= MAX_ID);
  const { type, settings, onFailure, maxRetries } = parseGate(rest, { path, findings, own });
  const phase = named === undefined ? lastWork(phases, growing) : phases.find(({ id }) => id === named);
  if (phase === undefined || growing.fixed.some(({ id }) => id === phase.id)) {
    const ids = phases.filter(({ id }) => !growing.fixed.some((each) => each.id === id)).map(({ id }) => id);
    const why = phase === undefined ? 'there is no such phase' : 'it has begun, and is judged as it was';
    findings.error([...path, 'phase'], {
      check: 'gate-phase',
      message: `no gate can be added to "${oneLine(String(named ?? ''), 64)}": ${why}`,
      hint: suggestion(String(named ?? ''), ids),
    });
    return [];
  }
  if (phase.type === 'approval' && type !== 'approval') {
    const message = `"${phase.id}" is an approval, which is judged by its judge alone`;
    findings.error([...path, 'phase'], { check: 'gate-phase', message, hint: 'name the phase whose work it is' });
    return [];
  }
  const gate = {
    type,
    settings,
    onFailure: onFailure ?? ('retry' as const),
    maxRetries: maxRetries ?? phase.maxRetries,
    ...(criteria.length > 0 && { criteria }),
  };
  return [{ id: phase.id, gate, path }];
}

/** What is said of no phase must hold when the work is done. */
function lastWork(phases: readonly Phase[], { fixed }: Growing): Phase | undefined {
  return phases.findLast((phase) => !isJudge(phase) && !fixed.some(({ id }) => id === phase.id));
}

const ASKING: ReadonlySet<string> = new Set(['approval', 'verification']);

/** What is free comes first; the same gate is not asked twice. */
function withGate(phase: Phase, gate: Gate): Phase {
  const same = (each: Gate) =>
    each.type === gate.type && JSON.stringify(each.settings) === JSON.stringify(gate.settings);
  if (phase.gates.some(same)) {
    const { criteria: more = [] } = gate;
    const named = ({ criteria = [] }: Gate) => [...new Set([...criteria, ...more])];
    if (more.length === 0) return phase;
    return { ...phase, gates: phase.gates.map((each) => (same(each) ? { ...each, criteria: named(each) } : each)) };
  }
  const asking = phase.gates.findIndex(({ type }) => ASKING.has(type));
  const at = asking === -1 || ASKING.has(gate.type) ? phase.gates.length : asking;
  return { ...phase, gates: phase.gates.toSpliced(at, 0, gate) };
}
