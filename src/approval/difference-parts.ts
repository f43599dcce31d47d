import { inQuotes } from '../domain/in-quotes.ts';

/** What became of one file, out of a patch. */
export type DifferencePart = {
  /** Its name as the patch writes it. */
  readonly name: string;
  readonly status: 'added' | 'changed' | 'deleted';
  readonly text: string;
  /** Tells whether the patch has nothing of its content. */
  readonly onlyNamed: boolean;
  /** Where a link took the place of a file, or a file that of a link: where it leads or led. */
  readonly note?: string;
};

const MAX_TARGET = 500;
const NAMED = /^# (added|changed|removed): (.*) \(([^()]*)\)$/;

/** A patch by its files. Lines of content have a sign before them, so that none of them can begin another file. */
export function differenceParts(patch: string): DifferencePart[] {
  return patch
    .split(/(?<=\n)(?=diff --git |# (?:added|changed|removed): )/)
    .filter((text) => text.trim() !== '')
    .map(partOf)
    .reduce<DifferencePart[]>(joined, []);
}

/** A file that became a link stands in a patch twice: as what is gone, and as what came. */
function joined(parts: DifferencePart[], part: DifferencePart): DifferencePart[] {
  const gone = parts.at(-1);
  if (gone?.status === 'deleted' && part.status === 'added' && firstLine(gone) === firstLine(part)) {
    const note = `${kindOf(part)}, before: ${kindOf(gone)}`;
    const text = gone.text + part.text;
    parts.pop();
    parts.push({ name: part.name, status: 'changed', text, onlyNamed: gone.onlyNamed || part.onlyNamed, note });
  } else parts.push(part);
  return parts;
}

/** Only a patch begins with the same line twice: what is only named says there what became of it. */
function firstLine({ text }: DifferencePart): string {
  return text.slice(0, text.indexOf('\n'));
}

/** What stands there, in words without brackets, so that none can end those around them. */
function kindOf({ text }: DifferencePart): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  const mode = lines.slice(0, start + 1).find((line) => /^(?:new|deleted) file mode /.test(line));
  if (mode?.endsWith(' 160000')) return 'a submodule';
  if (!mode?.endsWith(' 120000')) return 'a file';
  const target = lines.slice(start + 1).filter((line) => /^[+-]/.test(line));
  const leads = target.map((line) => line.slice(1)).join('\n');
  return `link to ${inQuotes(leads.slice(0, MAX_TARGET)).replaceAll(/[()]/g, '?')}`;
}

function partOf(text: string): DifferencePart {
  const [first = '', ...rest] = text.split('\n', 12);
  const [, status, path] = NAMED.exec(first) ?? [];
  if (path !== undefined)
    return { name: path, status: status === 'removed' ? 'deleted' : asStatus(status), text, onlyNamed: true };
  const head = rest.slice(0, rest.findIndex((line) => line.startsWith('@@')) + 1 || undefined);
  const says = (words: string) => head.some((line) => line.startsWith(words));
  return {
    name: nameIn(first),
    status: says('new file mode') ? 'added' : says('deleted file mode') ? 'deleted' : 'changed',
    text,
    onlyNamed: says('Binary files '),
  };
}

function asStatus(word: string | undefined): 'added' | 'changed' {
  return word === 'added' ? 'added' : 'changed';
}

/** Both names of the line are the same one, after `a/` and `b/`. */
function nameIn(line: string): string {
  if (!line.startsWith('diff --git ')) return '(a file without a name)';
  const names = line.slice('diff --git '.length);
  const half = names.slice(0, (names.length - 1) / 2);
  return half.startsWith('"') ? `"${half.slice(3)}` : half.slice(2);
}
