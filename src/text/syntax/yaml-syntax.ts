import { isScalar, type ParsedNode, parseAllDocuments, visit } from 'yaml';
import { oneLine } from '../sanitise.ts';
import { MAX_PROBLEMS, type Problems, placesIn } from './problem.ts';

/** The parser's own check for duplicate keys takes quadratic time. */
const OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

type Trouble = { readonly offset: number; readonly message: string };

/** Checks the syntax of YAML: several documents, anchors, tags and directives are all fine. */
export function checkYaml(text: string): Problems {
  const found = troubles(text).sort((a, b) => a.offset - b.offset);
  const first = found.filter(({ offset }, index) => offset !== found[index - 1]?.offset);
  const place = placesIn(text);
  const problems = first.slice(0, MAX_PROBLEMS).map(({ offset, message }) => ({ ...place(offset), message }));
  return { problems, more: first.length > MAX_PROBLEMS };
}

function troubles(text: string): Trouble[] {
  const documents = parseAllDocuments<ParsedNode>(text, OPTIONS);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap(({ errors, contents }) => [
    ...errors.map(({ pos, message }) => ({ offset: pos[0], message: inWords(message) })),
    ...(errors.length === 0 ? repeatedKeys(contents) : []),
  ]);
}

/** The parser recurses and reports where it could not go deeper as an error of the text. */
function inWords(message: string): string {
  return /call stack|stack overflow/i.test(message) ? 'nested too deep to be read' : oneLine(message, 200);
}

function repeatedKeys(root: ParsedNode | null): Trouble[] {
  const found: Trouble[] = [];
  visit(root, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (seen.has(key.value))
          found.push({
            offset: key.range?.[0] ?? 0,
            message: `the key "${oneLine(String(key.value), 60)}" stands here twice`,
          });
        seen.add(key.value);
      }
    },
  });
  return found;
}
