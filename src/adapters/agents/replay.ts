import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { Cassette, type CassetteFile } from '../../domain/documents/cassette.ts';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { present } from '../../domain/present.ts';
import type { Agent, AgentEnd, CreatorTask } from '../../ports/agent.ts';
import type { Project } from '../../ports/project.ts';
import { sha256 } from '../../text/digest.ts';
import { excerpt, oneLine, sanitise } from '../../text/sanitise.ts';
import { openProject } from '../disk/project-directory.ts';
import { notForJudges } from './agent-texts.ts';
import type { AgentWorld } from './agent-world.ts';
import { readOwn, removeOwn, writeOwn } from './own-files.ts';

const DEFAULT_FOLDER = 'cassette';
const CASSETTE_BYTES = 160 * 1024 * 1024;
const SHOWN = 5;
const FREE = { usd: 0, basis: 'simulated' } as const;

/** Opens the agent that does what another one was recorded doing. All it does counts as simulated. */
export async function openReplay(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const folder = openFolder(world.script ?? settings.script ?? DEFAULT_FOLDER, world.project);
  return {
    driver: 'replay',
    simulated: true,
    perform: async (task) => {
      if (task.role !== 'creator') return notForJudges('replay', task.role);
      if (task.signal.aborted) return interrupted('cancelled', 'stopped');
      try {
        return await play(task, folder);
      } catch (error) {
        return interrupted('protocol', `it cannot be played again: ${(error as Error).message}`);
      }
    },
  };
}

/** What helix.yaml names lies in the project; what the user names on the command line may lie anywhere. */
function openFolder(path: string, project: Project): Project {
  const full = resolve(project.dir, path);
  try {
    const real = realpathSync(full);
    if (isAbsolute(path) || !relative(project.dir, real).startsWith('..')) return openProject(real);
  } catch {
    // That it is not there is said below.
  }
  throw new HelixError('config', `there is no folder ${path} with cassettes`, {
    hint: 'Record some with helix run --record, copy .helix/runs/<run>/cassette, and name the copy: --script FOLDER',
  });
}

async function play(task: CreatorTask, folder: Project): Promise<AgentEnd> {
  const cassette = await findCassette(task, folder);
  if (cassette.incomplete !== undefined) return interrupted('protocol', `it was not recorded: ${cassette.incomplete}`);
  const changed = [...changedInputs(cassette, task), ...changedFiles(cassette, task.dir)];
  if (changed.length > 0) {
    const listed = changed.slice(0, SHOWN).map((line) => oneLine(line, 300));
    const more = changed.length > SHOWN ? `, and ${changed.length - SHOWN} more` : '';
    return interrupted('protocol', `what it works on is not what was recorded: ${listed.join('; ')}${more}`);
  }
  for (const text of cassette.said.map(sanitise)) task.onLine(JSON.stringify({ type: 'text', text }), text);
  for (const file of cassette.files) put(task.dir, file);
  const { end, model, version } = cassette;
  const worker = { ...present({ model, version }) };
  if (end.kind === 'interrupted') return interrupted(end.failure, `as recorded: ${end.message}`);
  const drift = briefDrift(cassette, task);
  return { kind: 'done', cost: FREE, ...worker, ...(drift !== undefined && { notices: [drift] }) };
}

function interrupted(failure: Extract<AgentEnd, { kind: 'interrupted' }>['failure'], message: string): AgentEnd {
  return { kind: 'interrupted', failure, message, cost: FREE };
}

/** The last recording of this turn: what had been interrupted before it is not waited for again. */
async function findCassette({ phase, turn }: CreatorTask, folder: Project): Promise<Cassette> {
  const paths = await folder.match(`${phase.id}/attempt-*.json`);
  const inOrder = [...paths].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  for (const path of inOrder) {
    const cassette = parse(await folder.read(path, CASSETTE_BYTES), path);
    if (cassette.phase === phase.id && cassette.turn === turn) return cassette;
  }
  const expected = `${folder.dir}/${phase.id}/attempt-${turn + 1}.json`;
  throw new Error(`there is no cassette of phase ${phase.id} for turn ${turn + 1}; expected ${expected}`);
}

function parse(text: string | undefined, path: string): Cassette {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch (error) {
    throw new Error(`${path} is no JSON: ${excerpt((error as Error).message, 200)}`);
  }
  const checked = Cassette.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Error(`${path} is no cassette: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

function changedInputs({ inputs }: Cassette, task: CreatorTask): string[] {
  const now = new Map(task.inputs.map(({ path, digest }) => [path, digest]));
  const then = new Map(inputs.map(({ path, digest }) => [path, digest]));
  return [
    ...[...then].flatMap(([path, digest]) => {
      if (!now.has(path)) return [`the input ${path} is not there`];
      return now.get(path) === digest ? [] : [`the input ${path} has changed`];
    }),
    ...[...now.keys()].filter((path) => !then.has(path)).map((path) => `the input ${path} is new`),
  ];
}

/** What the agent wrote over or removed must be what it was then: it answered to what it found. */
function changedFiles({ files }: Cassette, dir: string): string[] {
  return files.flatMap(({ path, before }) => {
    const content = readOwn(dir, path);
    const now = content === undefined ? undefined : sha256(content);
    if (now === before) return [];
    if (before === undefined) return [`${path} is there already`];
    return [`${path} ${now === undefined ? 'is gone' : 'has changed'}`];
  });
}

function put(dir: string, file: CassetteFile): void {
  if ('deleted' in file) removeOwn(dir, file.path);
  else writeOwn(dir, file.path, 'text' in file ? file.text : Buffer.from(file.base64, 'base64'), file.executable);
}

const LIMITS = / It may use at most (?:\d+\.\d\d USD)?(?: and )?(?:\d+ minutes?)?\.$/m;

/** What is left of money and time is never the same, and tells an agent nothing about its work. */
function withoutLimits(text: string): string {
  return text.replace(LIMITS, '');
}

/** What is different in the brief: the recorded agent was told something else. */
function briefDrift({ brief, phase }: Cassette, task: CreatorTask): Finding | undefined {
  if (sha256(task.brief) === brief.sha256) return undefined;
  const then = withoutLimits(brief.text).split('\n');
  const now = withoutLimits(task.brief).split('\n');
  if (then.join('\n') === now.join('\n')) return undefined;
  const lines = [
    ...then.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !then.includes(line)).map((line) => `+ ${line}`),
  ];
  const shown = lines.slice(0, SHOWN).map((line) => oneLine(line, 200));
  const more = lines.length > SHOWN ? ` … and ${lines.length - SHOWN} more lines` : '';
  return {
    severity: 'warning',
    check: 'brief-drift',
    message: `the brief of ${phase} is not the one that was recorded: ${shown.join(' / ')}${more}`,
    hint: 'what is played answers the old one; record it again: helix run --record',
  };
}
