import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { lookAlikes } from './look-alikes.ts';
import { matcherOf } from './protected-paths.ts';

const GUARDED = [
  'phases.yaml',
  '**/.gitattributes',
  'approvals/**',
  '.github/workflows/**',
  'phases/*/output/phases.yaml',
];

function treeOf(paths: readonly string[], links: readonly string[] = []): Tree {
  const files = paths.map((path) => ({ path, digest: path, size: 1, executable: false }));
  return { id: '', files, problems: [], links: links.map((path) => ({ path })), read: async () => undefined };
}

function told(before: readonly string[], added: readonly string[], declared: readonly string[] = []): string[] {
  const [base, tree] = [treeOf(before), treeOf([...before, ...added])];
  const findings = lookAlikes({ base, tree, guarded: GUARDED, isDeclared: matcherOf(declared) });
  return findings.map(({ severity, message }) => `${severity}: ${message}`);
}

it('a name with characters nobody sees is an error, and told with what it looks like', () => {
  expect(told(['src/pay.ts'], ['src/pay\u200b.ts', 'a\u202eb'])).toEqual([
    'error: the name src/pay\\u{200b}.ts has characters nobody sees (U+200B), and looks like src/pay.ts',
    'error: the name a\\u{202e}b has characters nobody sees (U+202E)',
  ]);
});

it('a name that differs from another by case or composition only is a warning, a folder among its parts, too', () => {
  const but = 'differs only in case or in how its letters are composed from';
  expect(told(['readme.md', 'src/a.ts', 'gr\u00fcn'], ['README.md', 'Src/b.ts', 'gru\u0308n', 'other'])).toEqual([
    `warning: the name README.md ${but} readme.md`,
    `warning: the name Src/b.ts ${but} src`,
    `warning: the name gru\u0308n ${but} gr\u00fcn`,
  ]);
  expect(told([], ['a.txt', 'A.txt'])).toHaveLength(2);
});

it('a name that only spaces or dots at its end tell from a protected one is an error, from another one a warning, in quotes', () => {
  const but = 'differs only in spaces or dots at its end from';
  expect(told(['src/a.ts'], ['phases.yaml ', 'phases.yaml.', 'src/a.ts .', '...', 'a/..b'])).toEqual([
    `error: the name "phases.yaml " ${but} what is protected as phases.yaml`,
    `error: the name "phases.yaml." ${but} what is protected as phases.yaml`,
    `warning: the name "src/a.ts ." ${but} src/a.ts`,
  ]);
});

it('one that looks like a protected path is an error, unless the phase is there to write it', () => {
  const added = [
    'Phases.yaml',
    'sub/.GitAttributes',
    '.GitHub/workflows/ci.yml',
    '.github/Workflows/ci.yml',
    'phases/a/output/Phases.yaml',
  ];
  expect(told(['.github/x'], added).map((line) => line.replace(/ differs.* protected as/, ' ~'))).toEqual([
    'error: the name Phases.yaml ~ phases.yaml',
    'error: the name sub/.GitAttributes ~ **/.gitattributes',
    'error: the name .GitHub/workflows/ci.yml ~ .github/workflows/**',
    'error: the name .github/Workflows/ci.yml ~ .github/workflows/**',
    'error: the name phases/a/output/Phases.yaml ~ phases/*/output/phases.yaml',
  ]);
  expect(told([], ['Approvals/Index.cs'], ['Approvals/**'])).toEqual([]);
});

it('what was so before is nobody\u2019s doing', () => {
  expect(told(['README.md', 'readme.md', 'a\u200b', 'Approvals/Index.cs'], ['Approvals/Store.cs', 'b'])).toEqual([]);
});

it('a protected path itself is left to those who ask about it', () => {
  expect(told([], ['phases.yaml', 'approvals/x/CLAUDE.md'])).toEqual([]);
});

it('renaming to another case is fine, and links are names, too', () => {
  const tree = treeOf(['README.md'], ['Link']);
  const findings = lookAlikes({ base: treeOf(['readme.md', 'link']), tree, guarded: [], isDeclared: () => false });
  expect(findings).toEqual([]);
  const both = treeOf(['link'], ['Link']);
  expect(lookAlikes({ base: treeOf(['link']), tree: both, guarded: [], isDeclared: () => false })).toHaveLength(1);
});

it('what rejects does not hide behind many names that only warn', () => {
  const pairs = Array.from({ length: 100 }, (_, n) => [`a${n}`, `A${n}`]).flat();
  const findings = told([], [...pairs, 'Phases.yaml', 'read\u200bme']);
  expect(findings).toHaveLength(50);
  expect(findings.filter((each) => each.startsWith('error'))).toHaveLength(2);
});
