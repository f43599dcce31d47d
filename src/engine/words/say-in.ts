import type { World } from '../../ports/world.ts';
import { isRecord } from '../../text/is-record.ts';
import { inEnglish, type Say, sayingWith } from '../../text/say.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';

/** The languages briefs are told in beside English. */
const TRANSLATED: ReadonlySet<string> = new Set(['de']);

/** Says HELIX's own sentences in the language of a run, as far as HELIX has them in it, else in English. */
export function sayIn(language: string | undefined, { shippedTemplate }: Pick<World, 'shippedTemplate'>): Say {
  const [tongue = ''] = (language ?? '').toLowerCase().split(/[-_]/);
  if (!TRANSLATED.has(tongue)) return inEnglish;
  const path = `${tongue}/brief.yaml`;
  const { value } = parseYaml(shippedTemplate(path), path);
  if (!isRecord(value)) return inEnglish;
  return sayingWith(Object.fromEntries(Object.entries(value).map(([english, text]) => [english, String(text)])));
}
