/** What became of one file, out of a patch. */
export type DifferencePart = {
  /** Its name as the patch writes it. */
  readonly name: string;
  readonly status: 'added' | 'changed' | 'deleted';
  readonly text: string;
  /** Tells whether the patch has nothing of its content. */
  readonly onlyNamed: boolean;
};

const NAMED = /^# (added|changed|removed): (.*) \(([^()]*)\)$/;

/** A patch by its files. Lines of content have a sign before them, so that none of them can begin another file. */
export function differenceParts(patch: string): DifferencePart[] {
  return patch
    .split(/(?<=\n)(?=diff --git |# (?:added|changed|removed): )/)
    .filter((text) => text.trim() !== '')
    .map(partOf);
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
