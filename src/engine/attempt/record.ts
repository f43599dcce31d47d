import type { Cassette, CassetteFile } from '../../domain/documents/cassette.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { present } from '../../domain/present.ts';
import type { AgentEnd } from '../../ports/agent.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import { cassettePath, transcriptPath } from '../../report/words/run-paths.ts';
import { transcriptWords } from '../../text/agent-words/transcript-words.ts';
import { sha256 } from '../../text/digest.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { allFiles } from '../difference/all-files.ts';
import type { StepContext } from '../step/engine-ports.ts';

const MEGABYTE = 1024 * 1024;
const FILE_BYTES = 16 * MEGABYTE;
const ALL_BYTES = 64 * MEGABYTE;
const SAID_CHARACTERS = MEGABYTE;

/** What an attempt was given and what came of it. */
type Attempt = {
  readonly phase: string;
  readonly attempt: number;
  readonly turn: number;
  readonly driver: string;
  readonly brief: string;
  readonly inputs: readonly InputFile[];
  readonly start: string;
  readonly end: AgentEnd;
  /** What it left, if that counts. */
  readonly tree?: Tree;
};

/** Keeps a cassette of an attempt, in a run of which cassettes are wanted. */
export async function recordAttempt(
  attempt: Attempt,
  { ports, recorder, watchers }: Omit<StepContext, 'signal'>,
): Promise<void> {
  if (recorder.state.recorded !== true) return;
  const { phase, brief, inputs, end, tree } = attempt;
  const done = tree === undefined ? { files: [] } : await changes(await ports.workspace.tree(attempt.start), tree);
  const { incomplete } = done;
  if (incomplete !== undefined) {
    watchers.onNotice?.(`attempt ${attempt.attempt} at ${phase} cannot be played again: ${incomplete}`);
  }
  const { model, version, cost } = end;
  const cassette: Cassette = {
    schema: 'helix.cassette/1',
    ...{ phase, attempt: attempt.attempt, turn: attempt.turn, driver: attempt.driver },
    ...present({ model, version }),
    brief: { sha256: sha256(brief), text: brief },
    inputs: inputs.map(({ path, digest }) => ({ path, digest })),
    said: said(await ports.files.readLines(transcriptPath(phase, attempt.attempt))),
    files: incomplete === undefined ? done.files : [],
    end: end.kind === 'done' ? { kind: 'done' } : { kind: 'interrupted', failure: end.failure, message: end.message },
    ...present({ cost, incomplete }),
  };
  await ports.files.write(cassettePath(phase, attempt.attempt), `${JSON.stringify(cassette, null, 1)}\n`);
}

/** What the transcript says to people, as much of it as a cassette keeps. */
function said(lines: readonly string[]): string[] {
  let room = SAID_CHARACTERS;
  return lines.flatMap((line) => {
    const words = line === '' ? undefined : transcriptWords(line);
    if (words === undefined || words.length > room) return [];
    room -= words.length;
    return [words];
  });
}

type Changes = { readonly files: CassetteFile[]; readonly incomplete?: string };

/** What differs between two trees, with its content. */
async function changes(from: Tree, to: Tree): Promise<Changes> {
  const [before, after] = [allFiles(from), allFiles(to)];
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Set(after.map(({ path }) => path));
  const written = after.filter((file) => !isSame(old.get(file.path), file));
  const gone = before.filter((file) => !now.has(file.path));
  const incomplete = tooMuch(written, [...gone, ...written.flatMap(({ path }) => old.get(path) ?? [])]);
  if (incomplete !== undefined) return { files: [], incomplete };
  const files: CassetteFile[] = [];
  for (const file of written) {
    const content = (await to.read(file.path, FILE_BYTES)) ?? Buffer.alloc(0);
    const executable = file.executable ? { executable: true } : {};
    files.push({ path: file.path, ...(await digestBefore(from, file.path)), ...asText(content), ...executable });
  }
  for (const { path } of gone) {
    files.push({ path, ...(await digestBefore(from, path)), deleted: true });
  }
  return { files };
}

function isSame(one: TreeFile | undefined, other: TreeFile): boolean {
  return one?.digest === other.digest && one.executable === other.executable;
}

function tooMuch(files: readonly TreeFile[], before: readonly TreeFile[]): string | undefined {
  const unsafe = [...files, ...before].find(({ path }) => unsafePath(path) !== undefined);
  if (unsafe !== undefined) return `the path ${JSON.stringify(unsafe.path)} ${unsafePath(unsafe.path)}`;
  const large = [...files, ...before].find(({ size }) => size > FILE_BYTES);
  if (large !== undefined) return `${large.path} is larger than ${FILE_BYTES / MEGABYTE} MB`;
  const all = files.reduce((sum, { size }) => sum + size, 0);
  return all > ALL_BYTES ? `what it wrote is larger than ${ALL_BYTES / MEGABYTE} MB` : undefined;
}

async function digestBefore(tree: Tree, path: string): Promise<{ before?: string }> {
  const content = await tree.read(path, FILE_BYTES);
  return content === undefined ? {} : { before: sha256(content) };
}

function asText(content: Buffer): { text: string } | { base64: string } {
  const text = content.toString('utf8');
  return Buffer.from(text, 'utf8').equals(content) ? { text } : { base64: content.toString('base64') };
}
