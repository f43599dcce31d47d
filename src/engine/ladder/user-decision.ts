import { UserDecisionDocument } from '../../domain/documents/escalation-documents.ts';
import { lastTree } from '../../domain/facts/last-tree.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Answer } from '../../domain/ladder/answer.ts';
import { present } from '../../domain/present.ts';
import type { Tree } from '../../ports/tree.ts';
import { normalisePath, unsafePath } from '../../text/safe-path.ts';

/** Of a file that a patch is applied to. */
const FILE_BYTES = 16 * 1024 * 1024;
const SPEC_PATHS = 100;
const SPEC_NAME = 200;
const OWN_FILES = 1000;
const HINT = 'Its form: helix schema user-decision';

type Input = NonNullable<UserDecisionDocument['additional_input']>;

/** What a file says a human has decided; throws HelixError `usage` that names what is wrong with it. */
export function parseUserDecision(text: string, name: string): UserDecisionDocument {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new HelixError('usage', `${name} is no JSON: ${(error as Error).message}`, { hint: HINT, cause: error });
  }
  const parsed = UserDecisionDocument.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new HelixError(
    'usage',
    `${name} is not a user decision: ${place === '' ? '' : `${place}: `}${issue?.message}`,
    {
      hint: HINT,
    },
  );
}

/** What a decision is taken against: the question's phase, and the trees of its run. */
export type Against = {
  readonly state: RunState;
  readonly phase: string;
  readonly tree: (id: string) => Promise<Tree>;
};

/** The answer such a document gives to a question. */
export async function answerFrom(
  { chosen_option: option, user_comment, additional_input }: UserDecisionDocument,
  against: Against,
): Promise<Answer> {
  const { spec_override, manual_code, priority_change, revert_to } = additional_input ?? {};
  const spec = specOf(spec_override);
  const files = await filesOf(manual_code, against);
  return {
    option,
    ...(isGiven(user_comment) && { comment: user_comment }),
    ...(isGiven(priority_change) && { priority: priority_change }),
    ...(isGiven(revert_to) && { phase: revert_to }),
    ...present({ spec, files }),
  };
}

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text.trim() !== '';
}

function specOf(given: Input['spec_override']): Answer['spec'] {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return given.trim() === '' ? undefined : { specification: given };
  const spec = Object.fromEntries(flattened(given, ''));
  const names = Object.keys(spec);
  if (names.length > SPEC_PATHS) throw wrong('spec_override', `names more than ${SPEC_PATHS} places`);
  const long = names.find((name) => name.length > SPEC_NAME);
  if (long !== undefined) throw wrong('spec_override', `has a name longer than ${SPEC_NAME} characters`);
  return names.length === 0 ? undefined : spec;
}

/** Every text by its dotted path; a list stays together. */
function flattened(given: Readonly<Record<string, unknown>>, below: string): [string, string | string[]][] {
  return Object.entries(given).flatMap(([name, value]): [string, string | string[]][] => {
    const path = below === '' ? name : `${below}.${name}`;
    if (typeof value === 'string') return [[path, value]];
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [[path, value]];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (path.length > SPEC_NAME) throw wrong('spec_override', 'is too deep');
      return flattened(value as Record<string, unknown>, path);
    }
    throw wrong('spec_override', `has neither text nor a list of texts at ${path}`);
  });
}

async function filesOf(given: Input['manual_code'], { state, phase, tree }: Against): Promise<Answer['files']> {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string') return checked(given);
  if (!/^(diff --git |--- |Index: )/m.test(given)) {
    throw wrong('manual_code', 'is neither a unified diff nor texts by path');
  }
  const at = state.phases.get(phase);
  const last = at && (at.judgedTree ?? lastTree(at)?.tree ?? at.baseTree);
  const { patchedTexts } = await import('../../text/apply-patch.ts');
  const opened = last === undefined ? undefined : await tree(last);
  const read = async (path: string) => (await opened?.read(path, FILE_BYTES))?.toString('utf8');
  return checked(await patchedTexts(given, async (path) => (unsafePath(path) === undefined ? read(path) : undefined)));
}

function checked(files: Readonly<Record<string, string>>): Answer['files'] {
  const entries = Object.entries(files);
  if (entries.length === 0) return undefined;
  if (entries.length > OWN_FILES) throw wrong('manual_code', `has more than ${OWN_FILES} files`);
  return Object.fromEntries(
    entries.map(([path, text]) => {
      const reason = unsafePath(path) ?? (/(^|\/)(\.git|\.helix)(\/|$)/.test(path) ? 'is not for agents' : undefined);
      if (reason !== undefined) throw wrong('manual_code', `has the path ${JSON.stringify(path)}, which ${reason}`);
      return [normalisePath(path), text];
    }),
  );
}

function wrong(field: string, why: string): HelixError {
  return new HelixError('usage', `additional_input.${field} ${why}`, { hint: HINT });
}
