import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { attemptSpan, type Span } from '../../domain/facts/spans.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { ZipPart } from '../../ports/files.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { attemptHistory } from '../../report/run/attempts.ts';
import { consultationsPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import { changedFiles } from '../difference/changed-files.ts';

const PIECE = 64 * 1024;

/** What all-attempts.zip is made of: the logs of a phase, what each attempt changed, and what consultants said. */
export async function* attemptParts(
  phase: string,
  { state, events }: { readonly state: RunState; readonly events: readonly RunEvent[] },
  workspace: () => Promise<Workspace>,
): AsyncGenerator<ZipPart> {
  yield { folder: `phases/${phase}/logs`, as: '' };
  const numbers = new Set(
    attemptHistory(events)
      .get(phase)
      ?.map(({ attempt }) => attempt),
  );
  const at = state.phases.get(phase);
  for (const attempt of numbers) {
    const span = at && attemptSpan(at, attempt, { state, events });
    if (span === undefined) continue;
    yield { name: `attempt-${attempt}/changes.patch`, content: patchOf(span, workspace) };
  }
  yield { folder: consultationsPath(phase), as: 'consultations' };
}

/** A tree that is gone takes only its own patch with it. */
async function* patchOf(span: Span, workspace: () => Promise<Workspace>): AsyncGenerator<Buffer> {
  try {
    const files = changedFiles([span], { workspace: await workspace(), top: '' });
    // Tens of thousands of small patches are packed much faster in large pieces.
    let piece: Buffer[] = [];
    let bytes = 0;
    for await (const { path, status, patch, only, note } of files) {
      const text = patch ?? Buffer.from(`# ${status}: ${oneLine(path)} (${note ?? only})\n`);
      piece.push(text);
      bytes += text.length;
      if (bytes < PIECE) continue;
      yield Buffer.concat(piece);
      [piece, bytes] = [[], 0];
    }
    if (bytes > 0) yield Buffer.concat(piece);
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'journal') throw error;
    yield Buffer.from(`# what it changed cannot be shown: ${oneLine(error.message)}\n`);
  }
}
