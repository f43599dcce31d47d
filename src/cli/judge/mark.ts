import { z } from 'zod';
import { approvalFolder, KEPT } from '../../adapters/judging/approval-folder.ts';
import type { MarkDocument } from '../../domain/documents/approval-document.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import { type ApprovalMark, MARKS } from '../../domain/judge/approval-mark.ts';
import { present } from '../../domain/present.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import type { World } from '../../ports/world.ts';
import { renderJson } from '../../report/words/json.ts';
import { approvalPath } from '../../report/words/run-paths.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { judgingPlace } from '../call/nearest-project.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { readKeptApprovals } from './kept-approvals.ts';

const MAX_NOTE = 2000;
const Keyed = z.object({ key: z.string().regex(/^[0-9a-f]{16,128}$/) });
const MAX_RECORD = 16 * 1024 * 1024;
const SHOWN = 5;
const UNFORGOTTEN =
  'its record.json is gone or damaged, so the same question may still be answered from the cache; helix approve --no-cache asks anew\n';

/** `helix approve mark` */
export const mark: Command = {
  usage: 'approve mark <id> <false-positive|missed> [--note T]',
  about: `Records what people found out later about a verdict: false-positive, where it objected to work that was right; missed,
where it approved work that was not. The id is the name of the approval's folder below .helix/approvals/ or
.helix/runs/<run>/approvals/, or its beginning. A later mark takes the place of an earlier one. An approval that
missed something is never given again without asking a judge. helix metrics shows the rates.`,
  positionals: { min: 2, max: 2 },
  options: {
    note: { type: 'string', value: 'T', help: 'what was found out, and how' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix approve mark 1f2e3d4c5b6a7988 false-positive --note "the value is a constant"',
    'helix approve mark 1f2e missed --note "orders without lines crash; found in production"',
  ],
  run: async (call) => {
    const [wanted = '', as = ''] = call.positionals;
    const kind = kindOf(as);
    const note = noteOf(call);
    const world = openWorldOf(call, call.text('dir') ?? judgingPlace(process.cwd()));
    const { run, result } = oneOf(await findVerdicts(world), wanted);
    demandFitting(result, kind);
    const made = { approval: result.approval_id, as: kind, ...present({ note }) };
    // Before the mark: what is marked must never be given to anybody again, what is forgotten in vain is only asked anew.
    const forgotten = kind !== 'missed' || (await forget(result.approval_id, run, world));
    if (!forgotten) call.terminal.err(UNFORGOTTEN);
    await (run === undefined ? keep(made, world) : journal(made, run, world));
    tell({ ...made, approval_type: result.approval_type, result: result.result, ...present({ run }) }, call);
    return EXIT.passed;
  },
};

function kindOf(as: string): ApprovalMark['as'] {
  const kind = MARKS.find((each) => each === as);
  if (kind !== undefined) return kind;
  throw new HelixError('usage', `a verdict cannot be marked as ${JSON.stringify(oneLine(as, 60))}`, {
    hint: suggestion(as, MARKS),
  });
}

function noteOf(call: Call): string | undefined {
  const note = call.text('note');
  if (note === undefined || (note.trim() !== '' && note.length <= MAX_NOTE)) return note;
  throw new HelixError(
    'usage',
    note.trim() === '' ? 'the note is empty' : `the note is longer than ${MAX_NOTE} characters`,
    {
      hint: 'Say in a few words what was found out, or leave --note out.',
    },
  );
}

type Verdict = { readonly result: ApprovalResult; readonly run?: string };

/** All verdicts of a project, newest first. */
async function findVerdicts(world: World): Promise<Verdict[]> {
  const found: Verdict[] = readKeptApprovals(world.project.dir).results.map((result) => ({ result }));
  const runs = world.hasJournal() ? await world.journal() : undefined;
  for (const { run } of (await runs?.list()) ?? []) {
    for (const { type, data } of (await runs?.read(run)) ?? []) {
      if (type === 'approval_finished') found.push({ run, result: data.result });
    }
  }
  return found.toSorted((a, b) => (a.result.timestamp < b.result.timestamp ? 1 : -1));
}

function oneOf(verdicts: readonly Verdict[], wanted: string): Verdict {
  const exact = verdicts.filter(({ result }) => result.approval_id === wanted);
  const found = exact.length > 0 ? exact : verdicts.filter(({ result }) => result.approval_id.startsWith(wanted));
  const [only] = found;
  if (only !== undefined && (found.length === 1 || exact.length > 0)) return only;
  const shown = (found.length === 0 ? verdicts : found).slice(0, SHOWN).map(({ result }) => named(result));
  const name = JSON.stringify(oneLine(wanted, 60));
  throw new HelixError(
    'not_found',
    found.length === 0 ? `there is no approval ${name}` : `${name} could be ${found.length} approvals`,
    { hint: shown.length === 0 ? 'Make one: helix approve <type> <files…>' : `The newest: ${shown.join('; ')}` },
  );
}

function named({ approval_id: id, approval_type: type, result }: ApprovalResult): string {
  return `${oneLine(id, 60)} (${oneLine(type, 60)}, ${result})`;
}

function demandFitting({ approval_id: id, result }: ApprovalResult, as: ApprovalMark['as']): void {
  if ((result === 'approved') === (as === 'missed')) return;
  const [what, other] =
    as === 'missed' ? ['so it let nothing pass', 'false-positive'] : ['so it objected to nothing', 'missed'];
  throw new HelixError('usage', `${oneLine(id, 60)} was ${result}, ${what}`, {
    hint: `If the verdict was wrong, mark it: helix approve mark ${oneLine(id, 60)} ${other}`,
  });
}

/** Takes an approval out of the cache that all runs share, by the key that its record names; false where nobody knows it any more. */
async function forget(id: string, run: string | undefined, { project, cache }: World): Promise<boolean> {
  const folder = run === undefined ? `${KEPT}/${id}` : `.helix/runs/${run}/${approvalPath(id)}`;
  try {
    const { key } = Keyed.parse(JSON.parse((await project.read(`${folder}/record.json`, MAX_RECORD)) ?? ''));
    await (await cache()).remove(key);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || error instanceof HelixError) return false;
    throw error;
  }
}

async function keep(made: ApprovalMark, world: World): Promise<void> {
  const { project, clock, actor } = world;
  const { files, path } = approvalFolder(project.dir, made.approval);
  await files.write('mark.json', renderJson({ ...made, actor, timestamp: clock.now() }));
  if (readKeptApprovals(project.dir).marks.some(({ approval }) => approval === made.approval)) return;
  throw new HelixError('io', `${path}/mark.json could not be sealed, so it would not be counted`, {
    hint: 'See that the state directory of HELIX ($XDG_STATE_HOME or ~/.local/state) can be written.',
  });
}

async function journal(made: ApprovalMark, run: string, world: World): Promise<void> {
  await addFact(world, run, () => ({ type: 'approval_marked', data: { ...made, actor: world.actor } }));
}

function tell(marked: Omit<MarkDocument, 'schema'>, call: Call): void {
  const { approval, approval_type: type, result, as } = marked;
  if (call.flag('json')) call.terminal.out(renderJson({ schema: 'helix.approval-mark/1', ...marked }));
  else {
    call.terminal.err(
      `${oneLine(approval, 60)} (${oneLine(type, 60)}, ${result}) is marked as ${as}; the rates: helix metrics\n`,
    );
  }
}
