import type { Language } from '../../domain/language.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Problem, Problems } from '../../text/syntax/problem.ts';
import type { GateAnswer, GateContext } from '../gate/gate-context.ts';

/** A text to check; `utf8` is false where its encoding was guessed. */
export type Source = {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  readonly utf8: boolean;
};

/** One thing wrong with a source. */
export type Flaw = { readonly source: Source; readonly problem: Problem };

/** What the syntax program is started with. */
export type SyntaxProgram = Pick<GateContext, 'processes' | 'project' | 'marker' | 'signal'>;

/** Why something could not be checked. */
export type Interrupted = Extract<GateAnswer, { kind: 'interrupted' }>;

/** What is wrong with the sources that were looked at, the first `looked` of them. */
export type SyntaxAnswer = {
  readonly kind: 'checked';
  readonly looked: number;
  readonly flaws: readonly Flaw[];
  /** The paths of sources with more flaws than are told. */
  readonly more: readonly string[];
};

/** How long one file may take, and all of them together. */
const FILE_MS = 60_000;
const ALL_MS = 600_000;

/**
 * Lets the syntax program check some sources. It answers file by file, so silence means that one takes too long; `enough` says when
 * there are so many flaws that more help nobody.
 */
export async function askSyntax(
  sources: readonly Source[],
  { processes, project, marker, signal }: SyntaxProgram,
  enough: (flaws: readonly Flaw[]) => boolean = () => false,
): Promise<SyntaxAnswer | Interrupted> {
  const stop = new AbortController();
  const flaws: Flaw[] = [];
  const more: string[] = [];
  let looked = 0;
  const end = await processes.run({
    argv: processes.ownProgram('syntax'),
    cwd: project,
    env: {},
    marker,
    stdin: sources.map(({ language, text }) => `${JSON.stringify({ language, text })}\n`).join(''),
    wallMs: ALL_MS,
    idleMs: FILE_MS,
    signal: AbortSignal.any([signal, stop.signal]),
    onLine: (line, stream) => {
      const source = sources[looked];
      if (stream !== 'stdout' || source === undefined) return;
      looked += 1;
      const answer = JSON.parse(line) as Problems;
      flaws.push(...answer.problems.map((problem) => ({ source, problem })));
      if (answer.more) more.push(source.path);
      if (answer.problems.length > 0 && enough(flaws)) stop.abort();
    },
  });
  const finished = end.ended === 'exit' && end.exitCode === 0 && looked === sources.length;
  if (finished || (stop.signal.aborted && !signal.aborted)) return { kind: 'checked', looked, flaws, more };
  return interrupted(end, sources[looked]?.path ?? 'the last file');
}

function interrupted(end: ProcessEnd, path: string): Interrupted {
  const { ended } = end;
  if (ended === 'aborted') return { kind: 'interrupted', failure: 'cancelled', message: end.message };
  if (ended === 'spawn') return { kind: 'interrupted', failure: 'setup', message: end.message };
  if (ended === 'timeout_idle' || ended === 'timeout_wall') {
    const late = ended === 'timeout_idle' ? `not checked after ${FILE_MS / 1000} s` : end.message;
    const message = `${path}: ${late}; split the file, or leave it out with the gate's "files"`;
    return { kind: 'interrupted', failure: 'timeout_wall', message };
  }
  const [why = end.message] = /^.*error: .*$/im.exec(end.tail) ?? [];
  return { kind: 'interrupted', failure: 'crash', message: `the parser broke down on ${path}: ${oneLine(why, 300)}` };
}
