import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/helix-file.ts';
import { Move, Script } from '../../domain/script.ts';
import type { Agent, Project } from '../../ports.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type ParsedYaml, parseYaml } from '../../text/yaml.ts';
import { openProject } from '../project-directory.ts';
import type { AgentWorld } from './agent-world.ts';
import { ScriptedAgent } from './scripted.ts';

const DEFAULT_SCRIPT = 'scripted.yaml';
const LIMIT = 1024 * 1024;
const SHOWN = 3;

/** Opens the scripted agent with the script the user named, that of its settings, `scripted.yaml`, or the built-in one. */
export async function openScripted(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  return new ScriptedAgent(await loadScript(settings, world), world);
}

async function loadScript(settings: AgentSettings, { project, script }: AgentWorld): Promise<Script> {
  const named = script ?? settings.script;
  const file = named ?? DEFAULT_SCRIPT;
  const text = script === undefined ? await project.read(file, LIMIT) : await readNamed(project, script);
  if (text !== undefined) return parseScript(text, file);
  if (named === undefined) return {};
  throw new HelixError('config', `there is no script ${named}`, {
    hint: 'Name a file of the project, or leave the script out: then every declared output is written.',
  });
}

/** What the user names on the command line may lie anywhere; a relative path starts at the project. */
async function readNamed(project: Project, script: string): Promise<string | undefined> {
  try {
    const real = realpathSync(resolve(project.dir, script));
    return await openProject(dirname(real)).read(basename(real), LIMIT);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseScript(text: string, file: string): Script {
  const yaml = parseYaml(text, file);
  const wrong = yaml.findings.filter((finding) => finding.severity === 'error');
  const parsed = Script.safeParse(withoutOwnKeys(yaml.value ?? {}));
  if (wrong.length === 0 && parsed.success) return parsed.data;
  const issues =
    wrong.length > 0 || parsed.success ? [] : parsed.error.issues.flatMap((issue) => findingsOf(issue, yaml));
  throw refusal([...wrong, ...issues]);
}

/** Keys that start with `x-` are the user's own; below `phases` and `writes` they are names like any other. */
function withoutOwnKeys(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const script = withoutX(value);
  return {
    ...script,
    ...(isRecord(script.phases) && { phases: mapValues(script.phases, ownMoves) }),
    ...(isRecord(script.roles) && { roles: mapValues(withoutX(script.roles), ownMoves) }),
  };
}

function ownMoves(moves: unknown): unknown {
  return Array.isArray(moves) ? moves.map((move) => (isRecord(move) ? withoutX(move) : move)) : moves;
}

function withoutX(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('x-')));
}

function mapValues(value: Record<string, unknown>, change: (each: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findingsOf(issue: z.core.$ZodIssue, yaml: ParsedYaml): Finding[] {
  if (issue.code !== 'unrecognized_keys') {
    const key = issue.path.findLast((step) => typeof step === 'string');
    const message = `${key === undefined ? 'the script' : `"${oneLine(key, 60)}"`}: ${oneLine(issue.message, 200)}`;
    return [{ severity: 'error', check: 'invalid-value', message, location: yaml.locate(issue.path) }];
  }
  const known = Object.keys(issue.path.length > 1 ? Move.shape : Script.shape);
  return issue.keys.map((key) => ({
    severity: 'error',
    check: 'unknown-key',
    message: `unknown key "${oneLine(key, 60)}"`,
    hint: suggestion(key, issue.path[0] === 'roles' && issue.path.length === 1 ? ROLES : known),
    location: yaml.locateKey([...issue.path, key]),
  }));
}

const ROLES = Object.keys(Script.shape.roles.unwrap().shape);

function refusal(findings: readonly Finding[]): HelixError {
  const lines = findings.slice(0, SHOWN).map(({ location, message, hint }) => {
    const place = `${location?.file}:${location?.line}:${location?.column}`;
    return `${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
  const more = findings.length > SHOWN ? `\nand ${findings.length - SHOWN} more` : '';
  return new HelixError('config', `${lines.join('\n')}${more}`, {
    hint: 'Mend the script; what it may contain says: helix schema scripted',
  });
}
