import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../../adapters/disk/atomic-file.ts';
import { ensureDirectory } from '../../adapters/disk/ensure-directory.ts';
import { ioError } from '../../adapters/disk/io-error.ts';
import { requireInRepository } from '../../adapters/disk/led-out.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { isGuard } from '../../domain/plan/trust-guards.ts';
import { harmsOf, prepareRun } from '../../engine/start/prepare-run.ts';
import { GATES } from '../../gates/registry.ts';
import type { LoadedPlan } from '../../plan/load-plan.ts';
import type { World } from '../../ports/world.ts';
import { renderJson } from '../../report/words/json.ts';
import { oneLine } from '../../text/sanitise.ts';
import { agrees } from '../call/agrees.ts';
import type { Call, CommandOption } from '../call/command.ts';
import { load, refuseErrors } from '../call/load.ts';
import { FORMATS, jsonSchema } from '../tools/schemas.ts';

const LONGEST = 10_000;
const IGNORED = '.helix/';
const IGNORES_HELIX = /^\/?\.helix\/?\s*$/m;

/** What became of each file of a new project. */
export type Written = { readonly made: readonly string[]; readonly kept: readonly string[] };

/** Writes the files that are not there yet; what is there stays as it is. */
export function writeProject(dir: string, files: Readonly<Record<string, string>>): Written {
  ensureDirectory(join(dir, '.helix'));
  const made: string[] = [];
  const kept: string[] = [];
  const folders = new Set(Object.keys(files).flatMap((path) => foldersOf(dirname(path))));
  for (const folder of folders) ensureDirectory(join(dir, folder));
  for (const [path, text] of Object.entries(files)) (create(join(dir, path), text) ? made : kept).push(path);
  (ignoreHelix(join(dir, '.gitignore')) ? made : kept).push('.gitignore');
  for (const name of ['phases', 'helix', 'approvals', 'escalation']) {
    const format = FORMATS[name];
    if (format !== undefined)
      writeAtomic(join(dir, '.helix', 'schemas', `${name}.schema.json`), renderJson(jsonSchema(format)));
  }
  return { made, kept };
}

/** A folder and those it lies in, from the top: none of them may be a link that leads elsewhere. */
function foldersOf(folder: string): string[] {
  return folder === '.' ? [] : [...foldersOf(dirname(folder)), folder];
}

/** False when something of that name is there, be it only a link. */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw ioError(error, path);
  }
}

/** Adds `.helix/` to .gitignore in the file's own line endings; false when it is there already or the file is a link. */
function ignoreHelix(path: string): boolean {
  if (create(path, `${IGNORED}\n`)) return true;
  try {
    if (!lstatSync(path).isFile()) return false;
    const text = readFileSync(path, 'utf8');
    if (IGNORES_HELIX.test(text)) return false;
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = text === '' || text.endsWith('\n') ? '' : end;
    writeFileSync(path, `${gap}${IGNORED}${end}`, { flag: 'a' });
    return true;
  } catch (error) {
    throw ioError(error, path);
  }
}

/** Makes the directory of a new project; throws HelixError `usage` where a link leads it out of the repository. */
export function makeDirectory(dir: string): void {
  requireInRepository(dir, process.cwd());
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw ioError(error, dir);
  }
}

/** A plan that HELIX has just written, and whether its set-up is still to be trusted. */
export type TrustedPlan = { readonly loaded: LoadedPlan; readonly asks: boolean };

/**
 * Trusts the plan HELIX has just written, and shows what that allows; whether its programs are installed is another matter. Set-up
 * is asked for: it runs, without walls, the scripts of a repository that may be somebody else's.
 */
export async function trustWritten(world: World, call: Call): Promise<TrustedPlan> {
  const { terminal } = call;
  const loaded = await load({ ...world, findProgram: async (name) => name });
  const plan = refuseErrors(loaded, terminal);
  const { agents, settings, escalation } = loaded;
  const creator = settings.roles?.creator ?? 'default';
  const wanting = { plan, agents, settings, escalation, creator };
  const lines = await harmsOf(wanting, world.project);
  const known = await harmsOf({ ...wanting, plan: withoutSetUp(plan) }, world.project);
  const asked = lines.filter((line) => !known.includes(line));
  const trusted = (await isAllowed(call, asked)) ? lines : known;
  await (await world.trust()).trust(world.project.dir, trusted);
  for (const line of trusted.filter((each) => !isGuard(each)))
    terminal.err(`${terminal.paint('dim', `trusted  ${oneLine(line, LONGEST)}`)}\n`);
  const open = asked.filter((line) => !trusted.includes(line));
  for (const line of open) terminal.err(`${terminal.paint('warn', 'not yet')}  ${oneLine(line, LONGEST)}\n`);
  return { loaded, asks: open.length > 0 };
}

function withoutSetUp(plan: Plan): Plan {
  return { ...plan, workspace: { ...plan.workspace, setup: [] } };
}

async function isAllowed(call: Call, lines: readonly string[]): Promise<boolean> {
  const about =
    'Set-up was found here. It runs without walls, with the scripts that this repository and its packages bring:';
  const added = lines.map((line) => `+ ${line}`);
  return lines.length === 0 || call.flag('trust') || agrees(call, { about, lines: added, question: 'Trust it?' });
}

/** How what was not trusted yet is allowed. */
export function trustStep(dir: string): string {
  return `  helix trust${dir}                    allows the set-up above, once you know what it runs`;
}

/** `--trust`, which both ways to make a project take. */
export const TRUST_OPTION: CommandOption = { type: 'boolean', help: 'trust the set-up that is found, too' };

/** What can be tried right away: a run with the scripted agent, unless the plan needs more than HELIX can do. */
export function tryRun(loaded: LoadedPlan, dir: string): string {
  try {
    prepareRun(loaded, { agent: 'scripted' }, GATES);
    return `  helix run${dir} --agent scripted    tries it without an agent`;
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return `  (helix run cannot do all of this plan yet: its gates are still being built)`;
  }
}

/** Says what was made and what was left alone. */
export function showWritten({ made, kept }: Written, { terminal }: Call): void {
  for (const path of made) terminal.out(`${terminal.paintOut('good', 'made')}     ${path}\n`);
  for (const path of kept) terminal.out(`${terminal.paintOut('dim', 'kept')}     ${path}\n`);
}
