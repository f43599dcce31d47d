import { sanitise } from '../text/sanitise.ts';

/** The headings of a brief are of levels 1 and 2, the name of a file of level 3. */
const BELOW = 3;
const DEEPEST = 6;

/**
 * What a project's owner wrote, as part of a brief: Markdown stays Markdown, but its headings go below those of the brief and a
 * block of code that is left open is closed, so that nothing in it can pose as a section of the brief or swallow one.
 */
export function ownerText(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutFrontMatter(sanitise(text)).trim().split('\n')) {
    const [, marks, rest = ''] = /^\s*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && rest.trim() === '') fence = undefined;
      lines.push(lowered(line));
    } else if (marks !== undefined && !(marks.startsWith('`') && rest.includes('`'))) {
      fence = marks;
      lines.push(line);
    } else add(line, lines);
  }
  return [...lines, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** What stands there for programs, such as the description of a skill. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n(?:[^\n]*\n)*?---(?:\n|$)/, '');
}

/** Adds a line outside of code, where a line of `=` or `-` makes the one before it a heading. */
function add(line: string, lines: string[]): void {
  const underline = /^\s{0,3}(=+|-+)\s*$/.exec(line)?.[1];
  const above = lines.at(-1) ?? '';
  if (underline !== undefined && /^\s{0,3}[^\s#>|`~-]/.test(above))
    lines.splice(-1, 1, heading(underline.startsWith('=') ? 1 : 2, above));
  else if (underline?.startsWith('=')) lines.push('');
  else lines.push(lowered(line).replace(/<(\/?h[1-6])\b/gi, '&lt;$1'));
}

/** In code, too: there it is a comment, which stays one, and nobody has to know for sure where code begins. */
function lowered(line: string): string {
  const [, marks, rest = ''] = /^\s{0,3}(#{1,6})(\s.*|)$/.exec(line) ?? [];
  return marks === undefined ? line : heading(marks.length, rest);
}

function heading(level: number, text: string): string {
  return `${'#'.repeat(Math.min(DEEPEST, level + BELOW))} ${text.trim()}`.trimEnd();
}
