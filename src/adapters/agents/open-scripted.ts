import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import type { Script } from '../../domain/plan/script.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Project } from '../../ports/project.ts';
import { parseScript } from '../../text/yaml/parse-script.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';
import { openProject } from '../disk/project-directory.ts';
import type { AgentWorld } from './agent-world.ts';
import { ScriptedAgent } from './scripted.ts';

const DEFAULT_SCRIPT = 'scripted.yaml';
const SHOWN = 3;

/** Opens the scripted agent with the script the user named, that of its settings, `scripted.yaml`, or the built-in one. */
export async function openScripted(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  return new ScriptedAgent(await loadScript(settings, world), world);
}

async function loadScript(settings: AgentSettings, { project, script }: AgentWorld): Promise<Script> {
  const named = script ?? settings.script;
  const file = named ?? DEFAULT_SCRIPT;
  const anywhere = script ?? (isAbsolute(file) ? file : undefined);
  const text =
    anywhere === undefined ? await project.read(file, YAML_LIMITS.bytes) : await readNamed(project, anywhere);
  if (text !== undefined) return usable(text, file);
  if (named === undefined) return {};
  throw new HelixError('config', `there is no script ${named}`, {
    hint: 'Name a file of the project, or leave the script out: then every declared output is written.',
  });
}

/** What the user names on the command line may lie anywhere; a relative path starts at the project. */
async function readNamed(project: Project, script: string): Promise<string | undefined> {
  try {
    const real = realpathSync(resolve(project.dir, script));
    return await openProject(dirname(real)).read(basename(real), YAML_LIMITS.bytes);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function usable(text: string, file: string): Script {
  const { script, findings } = parseScript(file, text);
  const wrong = findings.sorted.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw refusal(wrong);
  return script;
}

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
