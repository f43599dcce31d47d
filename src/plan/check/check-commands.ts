import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { setUpPrograms } from '../../domain/plan/set-up-programs.ts';
import { normalisePath, unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Note } from '../../text/yaml/file-findings.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { commandsOf } from '../build/build-plan.ts';
import type { ProjectFiles } from '../read/project-files.ts';
import { covers } from './covers.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** Looks a program up in PATH. */
export type FindProgram = (name: string) => Promise<string | undefined>;

type Written = { readonly at: YamlPath; readonly command: unknown; readonly phase?: CheckedPhase };

/** Checks that the programs a plan starts exist, so that a typing error costs nothing. */
export async function checkCommands(check: PlanCheck, findProgram: FindProgram): Promise<void> {
  for (const { at, command, phase } of writtenCommands(check)) {
    if (check.findings.full) return;
    const [program, place] = programOf(command, at);
    const note = program === undefined ? undefined : await problemWith(program, { check, phase, findProgram });
    if (note !== undefined) check.findings.error(place, note);
  }
}

/** The same for agents; only a warning, because a run may use another one. */
export async function checkAgentCommands(
  agents: Readonly<Record<string, AgentSettings>>,
  { findings, files, findProgram }: Pick<PlanCheck, 'findings' | 'files'> & { findProgram: FindProgram },
): Promise<void> {
  for (const [name, agent] of Object.entries(agents)) {
    const [program, place] = programOf(agent.command, ['agents', name, 'command']);
    if (program === undefined) continue;
    const found = isPath(program) ? await exists(program, files) : (await findProgram(program)) !== undefined;
    if (!found) findings.warning(place, notFound(program));
  }
}

function writtenCommands({ header, phases }: PlanCheck): Written[] {
  const setup = typeof header.workspace === 'object' ? (header.workspace.setup ?? []) : [];
  const nested = setup.some((entry) => typeof entry !== 'string');
  return [
    ...commandsOf(setup).map((command, index) => ({ at: ['workspace', 'setup', ...(nested ? [index] : [])], command })),
    ...phases.flatMap((phase): Written[] => [
      ...phase.draft.gates.map((gate) => ({ at: [...gate.path, 'command'], command: gate.settings.command, phase })),
      { at: [...phase.draft.path, 'rollback'], command: phase.draft.entry.rollback, phase },
    ]),
  ];
}

/** A string is for a shell to take apart, so only a list has a program to look for. */
function programOf(command: unknown, at: YamlPath): [program: string | undefined, at: YamlPath] {
  if (typeof command === 'string') return [command.trim() === '' ? '' : undefined, at];
  const first: unknown = Array.isArray(command) ? command[0] : undefined;
  return [typeof first === 'string' ? first : undefined, [...at, 0]];
}

type Look = { readonly check: PlanCheck; readonly phase: CheckedPhase | undefined; readonly findProgram: FindProgram };

async function problemWith(program: string, { check, phase, findProgram }: Look): Promise<Note | undefined> {
  if (program.trim() === '')
    return { check: 'missing-command', message: 'the command is empty', hint: 'name a program' };
  if (!isPath(program)) {
    if ((await findProgram(program)) !== undefined || (phase !== undefined && isOnPath(check))) return undefined;
    return notFound(program);
  }
  const reason = unsafePath(program);
  if (reason !== undefined) {
    const message = `the path "${oneLine(program, 80)}" ${reason}`;
    return { check: 'unsafe-path', message, hint: 'use a program of the project or of the system' };
  }
  const path = normalisePath(program);
  if (await exists(path, check.files)) return undefined;
  if (phase === undefined) return isCached(path, check) ? undefined : notFound(program);
  if (check.mode === 'phase-dirs' && (await exists(`phases/${phase.phase.id}/${path}`, check.files))) return undefined;
  return mayBeMade(path, phase, check) ? undefined : notFound(program);
}

/** A virtual environment that set-up makes is on the PATH of gates; what it will hold is found out by the trial. */
function isOnPath({ header, mode }: PlanCheck): boolean {
  const { setup = [], cache = [] } = typeof header.workspace === 'object' ? header.workspace : {};
  return setUpPrograms({ mode, setup: commandsOf(setup), cache }).length > 0;
}

function isPath(program: string): boolean {
  return program.includes('/') && !program.startsWith('/');
}

/** A link that leads out of the project, as package managers make them, is still a program. */
async function exists(path: string, files: ProjectFiles): Promise<boolean> {
  const { found, problem } = await files.find(path);
  return found || problem !== undefined;
}

/** Set-up may install a program, and this phase or one before it may write it. */
function mayBeMade(path: string, { phase }: CheckedPhase, { header, phases, ancestry }: PlanCheck): boolean {
  const workspace = typeof header.workspace === 'object' ? header.workspace : {};
  if ((workspace.setup ?? []).length > 0 || (workspace.cache ?? []).length > 0) return true;
  return phases
    .filter((other) => other.phase.id === phase.id || ancestry.isBefore(other.phase.id, phase.id))
    .some((other) => other.phase.output.files.some((file) => covers(file, path) !== 'no'));
}

/** What set-up installs it may use right away, such as the interpreter of a virtual environment. */
function isCached(path: string, { header }: PlanCheck): boolean {
  const { cache = [] } = typeof header.workspace === 'object' ? header.workspace : {};
  return cache.some((folder) => covers(normalisePath(`${folder}/`), path) !== 'no');
}

function notFound(program: string): Note {
  const message = `the program "${oneLine(program, 80)}" was not found`;
  const hint = /\s/.test(program)
    ? 'write program and arguments as separate entries: [npm, test]'
    : 'install it, or mend the name';
  return { check: 'missing-command', message, hint };
}
