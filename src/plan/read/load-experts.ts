import { posix } from 'node:path';
import { DomainExpertsFile, EXPERT_ID, type Expert, expertsIn } from '../../domain/kinds/experts-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Project } from '../../ports/project.ts';
import { oneLine } from '../../text/sanitise.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { type Reading, readYaml } from '../../text/yaml/read-yaml.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import { loadYaml } from './load-yaml.ts';
import type { ProjectFiles } from './project-files.ts';

/** The file in the folder `config`, of a project and of HELIX itself, that says whom a meeting can hear. */
export const EXPERTS_FILE = 'domain-experts.yaml';
export const EXPERTS_PATH = `config/${EXPERTS_FILE}`;

const MAX_ROLES = 100;
const DESCRIPTION = /^description:\s*(.+)$/m;

const READING: Reading = {
  names: new Set(['experts']),
  free: new Set(),
  text: new Set(['name', 'description', 'skills', 'triggers']),
};

/** Whom a project can ask, its own experts before those HELIX ships; with what is wrong with its own file. */
export type LoadedExperts = {
  readonly experts: readonly Expert[];
  readonly own?: { readonly path: string; readonly text: string; readonly findings: FileFindings };
};

/** Tells whether a phase names experts, or leaves a choice to HELIX that goes by what they know. */
export function asksExperts({ config: { experts = [], skills = [] } }: Pick<Phase, 'config'>): boolean {
  return experts.length > 0 || skills.includes('auto');
}

/**
 * Reads the project's config/domain-experts.yaml and the roles in `.claude/agents` of what is worked on; an expert they do not describe
 * is the one HELIX ships under that name.
 */
export async function loadExperts(
  project: Project,
  worked: Pick<ProjectFiles, 'list' | 'read'>,
  shipped: string,
): Promise<LoadedExperts> {
  // A test has checked the one HELIX ships.
  const usual = expertsIn(readYaml(EXPERTS_PATH, shipped, READING).yaml.value as DomainExpertsFile);
  const roles = await rolesIn(worked);
  const file = await loadYaml(project, EXPERTS_PATH, READING);
  if (file === undefined) return { experts: firstOfEach([...roles, ...usual]) };
  const { path, text, yaml } = file;
  const findings = new FileFindings(yaml);
  const written = readMap(DomainExpertsFile, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  return { experts: firstOfEach([...expertsIn(written), ...roles, ...usual]), own: { path, text, findings } };
}

function firstOfEach(experts: readonly Expert[]): Expert[] {
  const known = new Set<string>();
  return experts.filter(({ id }) => !known.has(id) && known.add(id));
}

/** What a project has for Claude Code to be: nothing calls for them but their name in a plan. */
async function rolesIn(worked: Pick<ProjectFiles, 'list' | 'read'>): Promise<Expert[]> {
  const paths = (await worked.list('.claude/agents/**/*.md')).toSorted().slice(0, MAX_ROLES);
  const roles = paths.map(async (path) => {
    const id = posix.basename(path, '.md');
    const described = DESCRIPTION.exec(((await worked.read(path)) ?? '').slice(0, 4096))?.[1] ?? '';
    const description = oneLine(described.replace(/^['"]|['"]$/g, ''), 300);
    return EXPERT_ID.test(id) ? [{ id, name: id, description, skills: [], triggers: [] }] : [];
  });
  return (await Promise.all(roles)).flat();
}
