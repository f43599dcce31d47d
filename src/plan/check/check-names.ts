import { REVIEW_SCOPES } from '../../domain/plan/plan.ts';
import { didYouMean, suggestion } from '../../text/did-you-mean.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { EXPERTS_PATH } from '../read/load-experts.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** What lies below templates/ and is no text for a phase. */
const NO_ROLES = /^(?:brief|parts|adr|project-types)\//;
const SKILLS = ['skills', '.claude/skills', '.agents/skills'].map((folder) => `${folder}/*/SKILL.md`);
/** Fields of work whose experts need no description. */
const FIELDS = [
  ...['accessibility', 'api', 'architecture', 'backend', 'business', 'compliance', 'data', 'database', 'design'],
  ...['development', 'devops', 'documentation', 'domain', 'embedded', 'finance', 'frontend', 'infrastructure'],
  ...['integration', 'legal', 'machine-learning', 'mobile', 'networking', 'operations', 'performance', 'privacy'],
  ...['product', 'project-management', 'quality', 'requirements', 'research', 'security', 'testing', 'ux'],
];

/** The names of what HELIX ships for agents. */
export type ShippedNames = { readonly templates: readonly string[]; readonly skills: readonly string[] };

/** Checks what phases name: scopes and templates there are, skills and experts nobody describes, tools nobody has. */
export async function checkNames(check: PlanCheck, shippedNames: () => ShippedNames): Promise<void> {
  checkScopes(check);
  if (check.phases.some(({ phase }) => isNamed(phase.config.template))) await checkTemplateNames(check, shippedNames);
  if (check.phases.some(({ phase }) => (phase.config.skills ?? []).some(isNamed)))
    await checkSkills(check, shippedNames);
  if (check.phases.some(({ phase }) => (phase.config.experts ?? []).some(isNamed))) checkExperts(check);
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== 'auto';
}

function checkScopes({ phases, findings }: PlanCheck): void {
  for (const { draft, phase } of phases) {
    const { review_scope: scope } = phase.config;
    if (scope === undefined || (REVIEW_SCOPES as readonly string[]).includes(scope)) continue;
    findings.error([...draft.path, 'config', 'review_scope'], {
      check: 'unknown-scope',
      message: `there is no review scope "${oneLine(scope, 60)}"`,
      hint: suggestion(scope, REVIEW_SCOPES),
    });
  }
}

async function checkTemplateNames(
  { phases, own, findings }: PlanCheck,
  shippedNames: () => ShippedNames,
): Promise<void> {
  const paths = (await own.list('templates/**/*.md')).map((path) => path.replace(/^templates\//, ''));
  const known = [...paths, ...shippedNames().templates]
    .map((path) => path.replace(/\.md$/, ''))
    .filter((name) => !NO_ROLES.test(name));
  const names = new Set(known);
  for (const { draft, phase } of phases) {
    const name = phase.config.template?.replace(/\.md$/, '');
    if (!isNamed(name) || names.has(name) || unsafePath(name) !== undefined) continue;
    const key = draft.entry.config?.template === undefined ? ['template'] : ['config', 'template'];
    findings.error([...draft.path, ...key], {
      check: 'unknown-template',
      message: `there is no template "${oneLine(name, 60)}"`,
      hint: `${suggestion(name, [...names].sort())} Your own: templates/<name>.md`,
    });
  }
}

async function checkSkills(check: PlanCheck, shippedNames: () => ShippedNames): Promise<void> {
  const lists = await Promise.all(SKILLS.map((pattern) => check.files.list(pattern)));
  const own = lists.flat().map((path) => path.split('/').at(-2) ?? '');
  const known = [...own, ...shippedNames().skills];
  for (const phase of check.phases) {
    warnOf(phase, 'skills', {
      check,
      known,
      message: (name) => `no skill is called "${name}": agents are told its name and nothing else`,
      hint: 'describe it in skills/<name>/SKILL.md',
    });
  }
}

function checkExperts(check: PlanCheck): void {
  const known = [...FIELDS, ...(check.experts ?? []).map(({ id }) => id)];
  for (const phase of check.phases) {
    warnOf(phase, 'experts', {
      check,
      known,
      message: (name) => `no expert is known as "${name}": agents are told the name and nothing else`,
      hint: `describe it under experts in ${EXPERTS_PATH}`,
    });
  }
}

type Warning = {
  readonly check: PlanCheck;
  readonly known: readonly string[];
  readonly message: (name: string) => string;
  readonly hint: string;
};

function warnOf({ draft, phase }: CheckedPhase, key: 'skills' | 'experts', warning: Warning): void {
  const { check, known, message, hint } = warning;
  const written = draft.entry.config?.[key];
  for (const [index, name] of (phase.config[key] ?? []).entries()) {
    if (!isNamed(name) || known.includes(name) || unsafePath(name) !== undefined) continue;
    const at: YamlPath = [...draft.path, 'config', key, ...(Array.isArray(written) ? [index] : [])];
    const meant = didYouMean(name, known);
    check.findings.warning(at, {
      check: `unknown-${key.slice(0, -1)}`,
      message: message(oneLine(name, 60)),
      hint: meant === undefined ? hint : `did you mean "${meant}"? Else ${hint}`,
    });
  }
}
