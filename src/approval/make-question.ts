import { posix } from 'node:path';
import type { Conventions } from '../brief/conventions.ts';
import type { Finding } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { ApprovalSettings } from '../domain/judge/approval.ts';
import { APPROVAL_TYPE, SHIPPED_APPROVALS } from '../domain/judge/approval-type.ts';
import { present } from '../domain/present.ts';
import type { Snapshot } from '../ports/tree.ts';
import { didYouMean, suggestion } from '../text/did-you-mean.ts';
import { normalisePath, unsafePath } from '../text/safe-path.ts';
import { oneLine } from '../text/sanitise.ts';
import { YAML_LIMITS } from '../text/yaml/yaml-guard.ts';
import { APPROVALS_PATH, approvalSettings, parseApprovals } from './approval-settings.ts';
import type { ApprovalRequest } from './approver.ts';
import { differenceFindings } from './fit-difference.ts';
import { type LinkedSource, linkedFiles } from './linked-files.ts';
import {
  chosenChecks,
  DEFINITION_LIMITS,
  type DefinitionFiles,
  isDefinitionFile,
  isDefinitionPlace,
  parseDefinition,
} from './load-definition.ts';
import type { Check, Definition, Question } from './question.ts';

/** Where the parts of a question come from: the project's own files are seen as they were before the judged work began. */
export type QuestionSource = LinkedSource & {
  /** The definition HELIX ships for a type. */
  readonly shipped: (type: string) => DefinitionFiles | undefined;
  readonly conventions: Conventions;
  readonly language?: string;
};

/** What a question is about: the pinned work, what changed in it, and what those who asked for it want. */
export type Subject = Pick<Question, 'snapshot' | 'difference' | 'newPart' | 'asked'>;

/** Makes a request a question to a judge; throws HelixError `config`, before anything is asked, for what nobody could answer. */
export async function makeQuestion(
  request: ApprovalRequest,
  source: QuestionSource,
  { snapshot, difference, newPart, asked }: Subject,
): Promise<Question> {
  const { type, role, found, criteria = [], settled = [] } = request;
  const { checks, ...told } = await readAsked(request, source);
  const isSettled = ({ id }: Check) => settled.some(({ check }) => check === id);
  const concept = request.concept && (await conceptIn(snapshot, request.concept));
  return {
    type,
    role,
    ...told,
    checks: checks.filter((check) => !isSettled(check)),
    settledChecks: checks.filter(isSettled),
    settled: settled.filter(({ check }) => check === undefined || checks.some(({ id }) => id === check)),
    inputs: inputsOf(request.files, snapshot),
    snapshot,
    ...present({ difference, newPart, concept, language: source.language }),
    conventions: source.conventions,
    asked,
    criteria,
    found: [...found, ...differenceFindings(difference), ...unseenConcept(request.concept, concept)],
  };
}

/** Where the concept lies in a copy, with the content it was compared by: another one would be another concept. */
async function conceptIn(snapshot: Snapshot, { path, text }: Concept): Promise<string | undefined> {
  const bytes = Buffer.from(text);
  const known = snapshot.files.map((file) => file.path);
  const around = snapshot.project === undefined ? [] : [posix.join(snapshot.project, path)];
  const given = known.filter((each) => each.endsWith(`/${path}`) && !around.includes(each));
  for (const place of [path, ...given, ...around].filter((each) => known.includes(each))) {
    if ((await snapshot.read(place, bytes.length + 1))?.equals(bytes)) return place;
  }
  return undefined;
}

type Concept = NonNullable<ApprovalRequest['concept']>;

function unseenConcept(wanted: Concept | undefined, found: string | undefined): Finding[] {
  if (wanted === undefined || found !== undefined) return [];
  return [
    {
      severity: 'warning',
      check: 'concept-not-shown',
      message: `the judge could not consult the concept ${oneLine(wanted.path, 200)}: its copy does not have it as it was compared`,
      hint: 'Name it under input of the phase, or commit it.',
      location: { file: wanted.path },
    },
  ];
}

/** What a judge of a type is asked, and how; throws HelixError `config` for what nobody defined, switched off or got wrong. */
export async function readAsked(
  request: Omit<ApprovalRequest, 'role' | 'files' | 'found'>,
  source: DefinitionSource,
): Promise<Pick<Question, 'definition' | 'checks' | 'settings'>> {
  const { type } = request;
  if (!APPROVAL_TYPE.test(type)) {
    const hint = 'Use lower-case letters, digits, - and _, at most 64, the first one a letter or digit.';
    throw new HelixError('config', `"${oneLine(type, 60)}" cannot be an approval type`, { hint });
  }
  const definition = await readDefinition(type, source);
  const settings = await readSettings(request, source);
  return { definition, checks: checksOf(definition, settings), settings };
}

type DefinitionSource = Pick<QuestionSource, 'read' | 'list' | 'links' | 'target' | 'shipped'>;

/** The project's own folder as a whole, if there is anything of a definition in it, else the one HELIX ships. */
async function readDefinition(type: string, source: DefinitionSource): Promise<Definition> {
  const places = await definitionPlaces(type, source);
  if (places.size === 0) {
    const shipped = source.shipped(type);
    return shipped === undefined ? unknownType(type, source) : parseDefinition(type, shipped);
  }
  const files = new Map<string, string>();
  let bytes = 0;
  for (const [name, path] of places) {
    const text = (await source.read(path, DEFINITION_LIMITS.fileBytes)) ?? '';
    files.set(name, text);
    bytes += Buffer.byteLength(text);
    if (bytes > DEFINITION_LIMITS.bytes) break;
  }
  return parseDefinition(type, files);
}

/** Where the files of a type's own definition lie, by their path below `approvals/<type>/`; none where the project has none. */
export async function definitionPlaces(type: string, source: LinkedSource): Promise<ReadonlyMap<string, string>> {
  const folder = `approvals/${type}`;
  const below = (path: string) => path.slice(folder.length + 1);
  const found = await linkedFiles(folder, source, (path) => isDefinitionPlace(below(path)));
  return new Map(
    [...found].map(([path, real]) => [below(path), real] as const).filter(([path]) => isDefinitionFile(path)),
  );
}

async function unknownType(type: string, source: DefinitionSource): Promise<never> {
  const own = (await source.list('approvals')).flatMap(
    (path) => /^approvals\/([^/]+)\/CLAUDE\.md$/.exec(path)?.[1] ?? [],
  );
  const known = [...new Set([...own, ...SHIPPED_APPROVALS.filter((name) => source.shipped(name) !== undefined)])];
  const hint = `${suggestion(type, known)} A type of your own needs approvals/${type}/CLAUDE.md and checks/*.md.`;
  throw new HelixError('config', `unknown approval type "${type}": there is no approvals/${type}/CLAUDE.md`, { hint });
}

async function readSettings(
  request: Omit<ApprovalRequest, 'role' | 'files' | 'found'>,
  source: DefinitionSource,
): Promise<ApprovalSettings> {
  const text = (await source.read(APPROVALS_PATH, YAML_LIMITS.bytes)) ?? '';
  const { file, findings } = parseApprovals(text, APPROVALS_PATH);
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined) {
    const { location, message, hint = 'Mend it.' } = first;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    throw new HelixError(
      'config',
      `${APPROVALS_PATH}:${location?.line ?? 1}:${location?.column ?? 1}: ${message}${more}`,
      { hint },
    );
  }
  const settings = approvalSettings(file, request.type, request);
  if (settings.enabled) return settings;
  throw new HelixError('config', `approvals of type ${request.type} are disabled`, {
    hint: `Set approvals.${request.type}.enabled to true in ${APPROVALS_PATH}.`,
  });
}

/** Nothing to check must have been said in so many words: else a folder without checks would approve everything. */
function checksOf(definition: Definition, settings: ApprovalSettings): Question['checks'] {
  const checks = chosenChecks(definition, settings.checks);
  if (checks.length > 0 || settings.checks !== undefined) return checks;
  throw new HelixError('config', `approvals/${definition.type} has no checks`, {
    hint: `Add approvals/${definition.type}/checks/<id>.md, or write checks: [] in ${APPROVALS_PATH} to ask no judge.`,
  });
}

function inputsOf(files: readonly string[], snapshot: Snapshot): Question['inputs'] {
  if (files.length === 0) {
    throw new HelixError('config', 'there is nothing to approve: no input files', {
      hint: 'Name the files to be judged.',
    });
  }
  const pinned = new Map(snapshot.files.map(({ path, sha256 }) => [path, sha256]));
  const inputs = new Map<string, string>();
  for (const file of files) {
    const path = normalisePath(file);
    const sha256 = pinned.get(path);
    if (sha256 === undefined) throw notThere(file, [...pinned.keys()]);
    if (inputs.has(path)) {
      throw new HelixError('config', `the input ${oneLine(file, 200)} is named twice`, {
        hint: 'Name each file once.',
      });
    }
    inputs.set(path, sha256);
  }
  return [...inputs].map(([path, sha256]) => ({ path, sha256 })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function notThere(file: string, known: readonly string[]): HelixError {
  const unsafe = unsafePath(file);
  const nearest = unsafe === undefined ? nearestTo(file, known) : undefined;
  const why = unsafe ?? 'is not there';
  return new HelixError('config', `the input ${oneLine(file, 200)} ${why}`, {
    hint: nearest === undefined ? 'Name files that exist, by their path in the project.' : `did you mean "${nearest}"?`,
  });
}

/** A path that is spelt much like it, or else one of the same name in another folder. */
function nearestTo(file: string, known: readonly string[]): string | undefined {
  const near = didYouMean(file, known);
  if (near !== undefined) return near;
  const name = posix.basename(file);
  const neighbours = known.filter((path) => posix.dirname(path) === posix.dirname(file));
  const meant = didYouMean(
    name,
    neighbours.map((path) => posix.basename(path)),
  );
  const neighbour = neighbours.find((path) => posix.basename(path) === meant);
  return neighbour ?? known.find((path) => posix.basename(path) === name);
}
