import { HilRequestDocument } from '../../domain/documents/escalation-documents.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import { wrap } from '../../report/words/columns.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { humanPath } from '../../report/words/run-paths.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';

const LARGEST = 1024 * 1024;
const SPEC_LINES = 12;

/** What a human should know who decides. */
export type Context = HilRequestDocument['context'];

/** What was written down when a question was asked; undefined where that is not there, or about another question. */
export async function knownContext(world: World, run: string, { id, phase }: RequestState): Promise<Context> {
  try {
    const text = await (await world.files(run)).read(`${humanPath(phase)}/hil-request.json`, LARGEST);
    const { data } = HilRequestDocument.safeParse(JSON.parse(text ?? 'null'));
    return data?.request === id ? data.context : undefined;
  } catch (error) {
    if (!(error instanceof HelixError || error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** What was asked for, said and claimed, beside what failed. */
export function renderKnown(context: Context, { width, paint }: Canvas): string[] {
  if (context === undefined) return [];
  const { specification = '', spec_changes, humans_said, came_back, baseline, claims } = context;
  const told: readonly (readonly [string, readonly string[]])[] = [
    ['Changed in the specification', spec_changes],
    ['Humans said', humans_said],
    ['Why the work came back', came_back],
    ['Failed before anybody worked', baseline],
    ['Its agent claims, proven by nothing', claims === undefined ? [] : [claims]],
  ];
  const spec = sanitise(specification)
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  const left = spec.length - SPEC_LINES;
  const lines = [
    ...spec.slice(0, SPEC_LINES).map((line) => `    ${line}`),
    ...(left > 0 ? [`    and ${left} more lines`] : []),
  ];
  const rest = told.flatMap(([title, texts]) =>
    texts.flatMap((text) => wrap(`${title}: ${oneLine(text, 1000)}`, width - 2).map((line) => `  ${line}`)),
  );
  if (lines.length + rest.length === 0) return [];
  return [
    paint('strong', 'What is known'),
    ...(lines.length === 0 ? [] : ['  The specification as it stands:', ...lines]),
    ...rest,
  ];
}
