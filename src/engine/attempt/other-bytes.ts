import type { Finding } from '../../domain/finding.ts';
import type { Conversion, Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { compareTrees } from './compare-trees.ts';

const KEYWORD = /\$Id(?::[^$\n]*)?\$/;
const BARE_LINE_FEED = /(?<!\r)\n/;
/** Where everybody expects CRLF. */
const OF_WINDOWS = /\.(bat|cmd|ps1|psm1|psd1|reg|vbs|sln|inf)$/i;

/** The files a phase has made or changed of which users would get other bytes than those that are judged. */
export async function otherBytes({ tree, base }: { readonly tree: Tree; readonly base: Tree }): Promise<Finding[]> {
  const sizes = new Map(compareTrees(tree, base).changed.map(({ path, size }) => [path, size]));
  const findings: Finding[] = [];
  for (const [path, conversions] of (await tree.conversions?.([...sizes.keys()])) ?? []) {
    const content = (await tree.read(path, sizes.get(path) ?? 0))?.toString('latin1') ?? '';
    findings.push(...conversions.filter((each) => changes(content, path, each)).map((each) => told(path, each)));
  }
  return findings;
}

/** Tells whether a conversion makes a difference to a file that is worth telling. */
function changes(content: string, path: string, { by }: Conversion): boolean {
  if (by === 'ident') return KEYWORD.test(content);
  if (by === 'eol') return BARE_LINE_FEED.test(content) && !content.includes('\0') && !OF_WINDOWS.test(path);
  return true;
}

function told(path: string, conversion: Conversion): Finding {
  const { severity, what, hint } = wordsFor(conversion);
  return {
    severity,
    check: 'other-bytes',
    message: `${oneLine(path, 200)} is judged as it is stored, but ${what}`,
    hint,
    location: { file: path },
  };
}

/** Another encoding can make other characters of any; the rest adds what is known, or what its user has set up. */
function wordsFor(conversion: Conversion): { severity: Finding['severity']; what: string; hint: string } {
  switch (conversion.by) {
    case 'encoding':
      return {
        severity: 'error',
        what: `users get it in the encoding ${oneLine(conversion.to, 80)}`,
        hint: 'Take working-tree-encoding out of .gitattributes for it, or let a human change this file.',
      };
    case 'ident':
      return {
        severity: 'warning',
        what: 'users get an id in the place of $Id$ in it',
        hint: 'Write it without $Id$, or take ident out of .gitattributes for it.',
      };
    case 'eol':
      return {
        severity: 'warning',
        what: 'users get it with CRLF at the end of its lines, which scripts may not be fit for',
        hint: 'Take eol=crlf out of .gitattributes for it if that is not meant.',
      };
    case 'filter':
      return {
        severity: 'info',
        what: `who has set up the filter ${oneLine(conversion.to, 80)} gets what that makes of it`,
        hint: 'It is named in .gitattributes.',
      };
  }
}
