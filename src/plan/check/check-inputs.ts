import { present } from '../../domain/present.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { isGlob } from '../../text/glob.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { best, type Certainty, covers, produces } from './covers.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** Comparing every input with every output is quadratic, so a huge plan is not compared to the end. */
const MAX_EFFORT = 2_000_000;
/** From how many earlier phases on a phase should say what it needs of them. */
const CROWD = 100;
const EFFORT = { file: 20, lookup: 100, search: 20_000 };

/** Checks that every input is there already or is made by an earlier phase. */
export async function checkInputs(check: PlanCheck): Promise<void> {
  const outputs = new Outputs(check);
  reportCrowd(check);
  for (const checked of check.phases) {
    for (const [index, wanted] of reachable(checked, check).entries()) {
      if (check.findings.full) return;
      if (outputs.effort > MAX_EFFORT) return reportUnchecked(check);
      if (unsafePath(wanted) === undefined) await checkInput({ wanted, index, checked }, outputs, check);
    }
    await checkConcepts(checked, outputs, check);
  }
}

/** What an ADR is compared with must be there by then, or every attempt at writing it fails. */
async function checkConcepts(checked: CheckedPhase, outputs: Outputs, { files, findings }: PlanCheck): Promise<void> {
  for (const { type, settings, path } of checked.draft.gates) {
    const { concept } = settings;
    if (type !== 'adr_complete' || typeof concept !== 'string' || unsafePath(concept) !== undefined) continue;
    if (outputs.mayBeWritten(concept, checked) || (await files.find(concept)).found) continue;
    const message = `no phase writes the concept "${oneLine(concept, 80)}" by then, and the project does not have it`;
    findings.error([...path, 'concept'], { check: 'missing-input', message, hint: nearestHint(concept, outputs) });
  }
}

/** A phase that names no input is given a copy of everything made before it, which adds up in a long plan. */
function reportCrowd({ phases, ancestry, findings }: PlanCheck): void {
  if (phases.length <= CROWD) return;
  const crowded = phases.find(({ phase }) => phase.input === undefined && ancestry.countBefore(phase.id) >= CROWD);
  if (crowded === undefined) return;
  const message = `phase "${crowded.phase.id}" names no input, so it is given what ${CROWD} phases before it made`;
  findings.warningAtKey([...crowded.draft.path, 'id'], {
    check: 'crowded-input',
    message,
    hint: 'name what it needs under input; each of these files is copied for every such phase',
  });
}

/** An input from a phase that is not finished before is reported as that. */
function reachable({ phase }: CheckedPhase, { ancestry }: PlanCheck): readonly string[] {
  const { fromPhase, files = [] } = phase.input ?? {};
  return fromPhase === undefined || ancestry.isBefore(fromPhase, phase.id) ? files : [];
}

function reportUnchecked({ findings }: PlanCheck): void {
  const message = 'the plan is too large to check all its inputs before it runs';
  findings.warningAtKey(['phases'], { check: 'uncertain-input', message, hint: 'split the plan' });
}

type Input = { readonly wanted: string; readonly index: number; readonly checked: CheckedPhase };

async function checkInput(input: Input, outputs: Outputs, check: PlanCheck): Promise<void> {
  const { wanted, index, checked } = input;
  const certainty = outputs.certainty(wanted, checked);
  if (certainty === 'yes') return;
  const { found, problem } = await findInput(input, outputs, check);
  if (found) return;
  const written = checked.draft.entry.input;
  const at: YamlPath = [...checked.draft.path, 'input', ...(Array.isArray(written) ? [] : ['files']), index];
  const name = oneLine(wanted, 80);
  if (certainty === 'maybe') {
    const message = `"${name}" may be missing when phase "${checked.phase.id}" starts: no earlier phase declares it`;
    check.findings.warning(at, {
      check: 'uncertain-input',
      message,
      hint: 'list it under output of the phase that writes it',
    });
  } else {
    const message = problem ?? `no earlier phase writes "${name}", and the project does not have it`;
    check.findings.error(at, { check: 'missing-input', message, hint: await inputHint(wanted, outputs, check) });
  }
}

/** What a phase is given may lie in the project, or in the directory of the phase it comes from. */
async function findInput(
  { wanted, checked }: Input,
  outputs: Outputs,
  { mode, files }: PlanCheck,
): Promise<{ found: boolean; problem?: string }> {
  const from = checked.phase.input?.fromPhase;
  const inPhase = mode === 'phase-dirs' && from !== undefined;
  const places = inPhase ? [`phases/${from}/${wanted}`, `phases/${from}/output/${wanted}`] : [wanted];
  let problem: string | undefined;
  for (const place of places) {
    outputs.effort += isGlob(place) ? EFFORT.search : EFFORT.lookup;
    const presence = await files.find(place);
    if (presence.found) return { found: true };
    problem ??= presence.problem;
  }
  return { found: false, ...present({ problem }) };
}

async function inputHint(wanted: string, outputs: Outputs, { files }: PlanCheck): Promise<string> {
  if (outputs.directories.has(wanted) || (await files.hasDirectory(wanted))) {
    return `"${oneLine(wanted, 80)}" is a directory; write "${oneLine(wanted, 80)}/**" for all files in it`;
  }
  const [writer] = outputs.writersOf(wanted);
  if (writer !== undefined) return `phase "${writer}" writes it, so this one must wait for it: add it to depends_on`;
  return nearestHint(wanted, outputs);
}

function nearestHint(wanted: string, { declared }: Outputs): string {
  const near = didYouMean(wanted, declared);
  return near === undefined
    ? 'declare it as an output of an earlier phase, or put it into the project'
    : `did you mean "${oneLine(near, 80)}"?`;
}

/** What the phases of a plan declare to write. */
class Outputs {
  effort = 0;
  readonly declared: readonly string[];
  readonly directories: ReadonlySet<string>;
  readonly #check: PlanCheck;
  readonly #byId: ReadonlyMap<string, CheckedPhase>;
  readonly #writers = new Map<string, CheckedPhase[]>();

  constructor(check: PlanCheck) {
    this.#check = check;
    this.#byId = new Map(check.phases.map((checked) => [checked.phase.id, checked]));
    this.directories = new Set(check.phases.map(({ phase }) => phase.output.directory));
    for (const checked of check.phases) {
      for (const file of checked.phase.output.files)
        this.#writers.get(file)?.push(checked) ?? this.#writers.set(file, [checked]);
    }
    this.declared = [...this.#writers.keys()].slice(0, 1000);
  }

  writersOf(path: string): string[] {
    return this.#writers.get(path)?.map(({ phase }) => phase.id) ?? [];
  }

  certainty(wanted: string, { phase }: CheckedPhase): Certainty {
    const { ancestry, phases } = this.#check;
    const from = phase.input?.fromPhase;
    if (from !== undefined) {
      const source = this.#byId.get(from);
      return source === undefined ? 'no' : this.#fromOne(wanted, source);
    }
    const before = (other: CheckedPhase): boolean => ancestry.isBefore(other.phase.id, phase.id);
    if (this.#writers.get(wanted)?.some(before)) return 'yes';
    this.effort += phases.length;
    return best(phases.filter(before).map((other) => this.#produces(wanted, other)));
  }

  /** True where a phase, or one before it, may write a file: as declared, or beside what is. */
  mayBeWritten(path: string, checked: CheckedPhase): boolean {
    const { ancestry, phases } = this.#check;
    this.effort += phases.length;
    const writes = (other: CheckedPhase) =>
      other.phase.output.files.some((file) => directoryOf(file) === directoryOf(path)) ||
      this.#produces(path, other) !== 'no';
    return phases.some(
      (other) => (other === checked || ancestry.isBefore(other.phase.id, checked.phase.id)) && writes(other),
    );
  }

  /** A phase hands on its own inputs; without a list of them it is given everything before it. */
  #fromOne(wanted: string, source: CheckedPhase): Certainty {
    const { input } = source.phase;
    if (input === undefined)
      return best([this.#produces(wanted, source), source.phase.dependsOn.length > 0 ? 'maybe' : 'no']);
    return best([this.#produces(wanted, source), ...input.files.map((file) => covers(file, wanted))]);
  }

  #produces(wanted: string, { draft, phase }: CheckedPhase): Certainty {
    this.effort += EFFORT.file * phase.output.files.length;
    const { output } = draft.entry;
    const explicit = output !== undefined && !Array.isArray(output) && output.directory !== undefined;
    return produces(phase, wanted, explicit ? phase.output.directory : undefined);
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
