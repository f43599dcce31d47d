import { readShippedConfig, readShippedSkills, readShippedTemplates } from '../adapters/disk/shipped-config.ts';
import { loadRules } from '../adr/rules/load/load-rules.ts';
import type { Finding } from '../domain/finding.ts';
import { catalogueOf } from '../domain/plan/catalogue.ts';
import type { Project } from '../ports/project.ts';
import { globMatcher } from '../text/glob.ts';
import { type LoadedPlan, loadPlan, type PlanOptions } from './load-plan.ts';

const TYPES = ['feature', 'bugfix', 'documentation', 'research', 'migration'];
const MODELS = catalogueOf([{ aliases: { opus: 'anthropic:opus-5' } }]);
const PROGRAMS = ['npm', 'node', 'make', 'sleep'];

type Files = Readonly<Record<string, string>>;

/** A project that lives in memory: its files by path, in a git repository unless told otherwise. */
export function memoryProject(files: Files, { git = true, dir = '/home/me/demo' } = {}): Project {
  const paths = Object.keys(files);
  return {
    dir,
    read: async (path) => files[path],
    match: async (pattern) => paths.filter(globMatcher(pattern)),
    links: async () => [],
    target: async () => undefined,
    hasDirectory: async (path) => paths.some((each) => each.startsWith(`${path}/`)),
    inGit: async () => git,
    fromTop: async (path) => ({ problem: `leads to ${path}, which this project in memory does not have` }),
  };
}

/** Loads a plan given as text, with whatever else the project has. */
export function loadText(text: string, files: Files = {}, options: Partial<PlanOptions> = {}): Promise<LoadedPlan> {
  return loadFiles({ 'phases.yaml': text, ...files }, options);
}

export function loadFiles(
  files: Files,
  options: Partial<PlanOptions> = {},
  project = memoryProject(files),
): Promise<LoadedPlan> {
  return loadPlan(project, {
    template: async (type) =>
      TYPES.includes(type) ? `phases: [{ id: only, type: development, name: ${type} }]` : undefined,
    templateTypes: async () => TYPES,
    findProgram: async (name) => (PROGRAMS.includes(name) ? `/usr/bin/${name}` : undefined),
    models: async () => MODELS,
    shippedConfig: (name) => readShippedConfig(name).text,
    shippedNames: () => ({ templates: readShippedTemplates(), skills: [...readShippedSkills().keys()] }),
    adrRules: async (text, path) => loadRules(text, path).findings,
    ...options,
  });
}

/** Findings as people read them: place, severity, message and hint. */
export function shown(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, message, hint, location }) => {
    const place = `${location?.file === 'phases.yaml' ? '' : `${location?.file}:`}${location?.line}:${location?.column}`;
    return `${place} ${severity}: ${message} (${hint})`;
  });
}
