import type { Finding } from '../../domain/finding.ts';
import { globMatcher } from '../../text/glob.ts';
import { joinPath, normalisePath } from '../../text/safe-path.ts';
import type { GateContext } from '../gate/gate-context.ts';

const LIMIT = 10 * 1024 * 1024;

/** What ADRs were made from. */
export type Concept = { readonly path: string; readonly text: string };

type Context = Pick<GateContext, 'base' | 'tree' | 'phase' | 'input' | 'projectFile'>;

/** The concept as it was before the phase began or as the phase was given it, else as the phase wrote it; or why there is none to go by. */
export async function readConcept(path: string, context: Context): Promise<Concept | Finding> {
  const concept = await conceptOf(path, context);
  if (concept === undefined) return missing(path);
  const now = await context.tree.read(concept.path, LIMIT);
  return now === undefined || now.equals(Buffer.from(concept.text)) ? concept : changed(concept.path);
}

async function conceptOf(path: string, context: Context): Promise<Concept | undefined> {
  const { base, tree, phase } = context;
  const places = [...new Set([normalisePath(path), joinPath(phase.output.directory, path)])];
  const readers = [
    (place: string) => base.read(place, LIMIT),
    (place: string) => context.input(place, LIMIT),
    (place: string) => tree.read(place, LIMIT),
  ];
  for (const read of isDeclared(places, context) ? readers.toReversed() : readers) {
    for (const place of places) {
      const bytes = await read(place);
      if (bytes !== undefined) return { path: place, text: bytes.toString('utf8') };
    }
  }
  const text = await context.projectFile(normalisePath(path), LIMIT);
  return text === undefined ? undefined : { path: normalisePath(path), text };
}

/** A phase that is there to write the concept says what it is. */
function isDeclared(places: readonly string[], { phase: { output } }: Context): boolean {
  const declared = output.files.flatMap((file) => [normalisePath(file), joinPath(output.directory, file)]);
  return declared.map(globMatcher).some((matches) => places.some((place) => matches(place)));
}

function missing(path: string): Finding {
  return {
    severity: 'error',
    check: 'concept-missing',
    message: `the concept ${path} does not exist`,
    hint: 'Write it, or correct the path in the gate.',
    location: { file: path },
  };
}

function changed(path: string): Finding {
  return {
    severity: 'error',
    check: 'concept-changed',
    message: `the concept ${path} was changed by the work that is held against it`,
    hint: 'Leave it as it was. Where it has to change, the plan declares it as output of the phase.',
    location: { file: path },
  };
}
