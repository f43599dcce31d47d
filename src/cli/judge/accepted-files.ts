import { acceptedInputs } from '../../approval/calibration/accepted-inputs.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import type { World } from '../../ports/world.ts';
import { sha256 } from '../../text/digest.ts';
import { readKeptApprovals } from './kept-approvals.ts';

const LIMIT = 512 * 1024;

/** The project's files that were approved last and have not changed since; throws HelixError `usage` where there is none. */
export async function acceptedFiles(
  world: World,
  wanted: { readonly type: string; readonly simulated: boolean },
): Promise<string[]> {
  const results = [...readKeptApprovals(world.project.dir).results, ...(await resultsOfRuns(world))];
  const accepted = acceptedInputs(results, wanted);
  const unchanged: string[] = [];
  for (const [path, digest] of accepted) {
    if ((await digestOf(path, world)) === digest) unchanged.push(path);
  }
  if (unchanged.length > 0) return unchanged;
  const changed = accepted.size === 0 ? '' : ', or all that was has changed since';
  throw new HelixError('usage', `nothing in this project was approved as ${wanted.type}${changed}`, {
    hint: `Name files you know to be right: helix calibrate ${wanted.type} <files…>; or let some be approved first: helix approve ${wanted.type} <files…>`,
  });
}

async function resultsOfRuns(world: World): Promise<ApprovalResult[]> {
  if (!world.hasJournal()) return [];
  const journal = await world.journal();
  const results: ApprovalResult[] = [];
  for (const { run } of await journal.list()) {
    for (const event of await journal.read(run)) {
      if (event.type === 'approval_finished') results.push(event.data.result);
    }
  }
  return results;
}

/** The digest of a file as it is now; undefined where there is none, or none that could be planted in. */
async function digestOf(path: string, { project }: World): Promise<string | undefined> {
  try {
    const [found] = await project.match(path);
    const text = found === undefined ? undefined : await project.read(found, LIMIT);
    return text === undefined ? undefined : sha256(text);
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return undefined;
    throw error;
  }
}
