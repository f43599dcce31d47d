import { isRecord } from '../text/is-record.ts';
import { inEnglish, type Say } from '../text/say.ts';
import { parseYaml } from '../text/yaml/yaml.ts';
import { bounded, code, quote } from './quote.ts';

/** A specification up to this size is told whole; without a file to read it may be longer. */
const MAX_WHOLE = 4 * 1024;
const MAX_ALONE = 16 * 1024;
const MAX_PART = 8 * 1024;

/** The specification as it stands now, and where its file lies for the reader. */
export type SpecNow = {
  readonly text: string;
  readonly path?: string | undefined;
  /** The run has changed it since its file was written. */
  readonly changed?: boolean;
  /** False where it is no YAML, so that no change could be put into its text. */
  readonly readable?: boolean;
};

/** What a brief says of the specification: its text, quoted, and in words how much of it that is. */
export type SpecPart = { readonly text: string; readonly about: string };

/** The specification for a brief: whole where it is short, else what the work is held against, with where the rest lies. */
export function specPart({ text, path: file, changed = false }: SpecNow, say: Say = inEnglish): SpecPart | null {
  // A file that no longer says what holds is not the place to look it up.
  const path = changed ? undefined : file;
  const whole = text.trim();
  if (whole === '') return null;
  if (Buffer.byteLength(whole) <= (path === undefined ? MAX_ALONE : MAX_WHOLE)) {
    return {
      text: quote(whole),
      about: changed
        ? say('The whole of it, with what was changed in this run:')
        : path === undefined
          ? say('The whole of it:')
          : say('The whole of {path}:', { path: code(path) }),
    };
  }
  const criteria = criteriaIn(whole);
  const what = criteria === undefined ? say('Its beginning') : say('Its acceptance criteria');
  const about =
    path === undefined
      ? `${what}:`
      : say('{what}; the whole lies in {path}, read what concerns you there:', { what, path: code(path) });
  return { text: quote(bounded(criteria ?? whole, MAX_PART)), about };
}

/** The acceptance criteria, which stand at the top or below `implementation`. */
function criteriaIn(text: string): string | undefined {
  const { value } = parseYaml(text, 'spec.yaml');
  if (!isRecord(value)) return undefined;
  const places = [value, value.implementation].filter(isRecord);
  const listed = places.flatMap((place) => (Array.isArray(place.acceptance_criteria) ? place.acceptance_criteria : []));
  if (listed.length === 0) return undefined;
  return listed.map((each) => `- ${typeof each === 'string' ? each : JSON.stringify(each)}`).join('\n');
}
