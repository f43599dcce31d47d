import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { loadPlan } from '../../index.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { filesExistAndSyntax } from './files-exist-and-syntax.ts';
import { checkFiles } from './judge-syntax.ts';
import { syntaxCheck } from './syntax-check.ts';
// The gate starts a program that has this file: imported, so that these tests run again when it changes.
import '../../text/syntax/check-syntax.ts';

type Files = Readonly<Record<string, string | Buffer>>;
type Case = {
  readonly files?: readonly string[];
  readonly language?: string;
  readonly output?: Partial<Phase['output']>;
  readonly made?: Files;
  readonly before?: Files;
  readonly signal?: AbortSignal;
};

async function contextOf({ output, made = {}, before = {}, signal }: Case): Promise<GateContext> {
  const phase = samplePhase('one', { output: { directory: 'output', files: [], ...output } });
  const { tree: base } = await gateContext(scratch(before));
  return gateContext(scratch({ ...before, ...made }), { phase, base, ...(signal && { signal }) });
}

async function judge(example: Case, gate = syntaxCheck) {
  const { files, language } = example;
  const settings = { type: gate.type, ...(files && { files }), ...(language && { language }) };
  return gate.judge(settings, await contextOf(example));
}

/** What a gate says, each finding with its place. */
async function places(example: Case, gate = syntaxCheck): Promise<string[]> {
  const answer = await judge(example, gate);
  if (answer.kind === 'interrupted') return [answer.failure, answer.message];
  const findings = answer.findings.map(({ severity, check, message, location: at }) => {
    const place = [at?.file, at?.line, at?.column].filter((part) => part !== undefined).join(':');
    return `${severity} ${check} ${place} ${message}`;
  });
  return [answer.outcome, ...findings];
}

const BROKEN = 'def f(:\n    pass\n';

it('a broken file is refused with its place and what is wrong there', async () => {
  const answer = await judge({ made: { 'output/a.py': BROKEN, 'output/b.py': 'x = 1\n' } });
  expect(answer).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        severity: 'error',
        check: 'syntax_check',
        message: 'missing ")"',
        location: { file: 'output/a.py', line: 1, column: 7 },
      },
    ],
  });
});

it('columns count characters, not bytes or halves of them', async () => {
  const made = { 'output/a.py': 'x = "ä😀" + )\n', 'output/b.json': '{"ä😀": x}', 'output/c.yaml': 'ä😀: "\\q"\n' };
  expect(await places({ made })).toEqual([
    'reject',
    'error syntax_check output/a.py:1:12 unexpected ")"',
    'error syntax_check output/b.json:1:8 unexpected "x"; expected a value',
    'error syntax_check output/c.yaml:1:6 Invalid escape sequence \\q',
  ]);
});

it.each<[string, Case, string[]]>([
  [
    'the files of the gate',
    { files: ['*.py'], made: { 'output/a.py': BROKEN, 'output/b.json': '{' } },
    ['output/a.py'],
  ],
  ['files of the gate that were there before', { files: ['lib/'], before: { 'lib/a.py': BROKEN } }, ['lib/a.py']],
  [
    'what the phase declares',
    { output: { files: ['output/b.json'] }, made: { 'output/a.py': BROKEN, 'output/b.json': '{' } },
    ['output/b.json'],
  ],
  [
    'what is new or changed under the output directory',
    {
      before: { 'output/old.py': BROKEN, 'output/changed.py': 'x = 1\n' },
      made: { 'output/changed.py': BROKEN, 'output/new.py': BROKEN, 'elsewhere.py': BROKEN },
    },
    ['output/changed.py', 'output/new.py'],
  ],
  [
    'nothing of installed packages, unless it is named',
    { made: { 'output/node_modules/x/a.py': BROKEN, 'output/a.py': BROKEN } },
    ['output/a.py'],
  ],
])('checked is %s', async (_what, example, expected) => {
  const answer = await judge(example);
  const errors = answer.kind === 'judged' ? answer.findings.filter(({ severity }) => severity === 'error') : [];
  expect(errors.map(({ location }) => location?.file)).toEqual(expected);
});

it('a declared file that is not there is missed once, under the name of the check that misses it', async () => {
  const example = { output: { files: ['output/a.py', 'output/b.py'] }, made: { 'output/a.py': BROKEN } };
  const broken = 'error syntax_check output/a.py:1:7 missing ")"';
  expect(await places(example)).toEqual(['reject', 'error syntax_check output/b.py output/b.py is missing', broken]);
  expect(await places(example, filesExistAndSyntax)).toEqual([
    'reject',
    'error files_exist output/b.py output/b.py is missing',
    broken,
  ]);
});

it('where there is nothing to check, nothing passes', async () => {
  for (const gate of [syntaxCheck, filesExistAndSyntax]) {
    expect(said(await judge({ before: { 'output/a.py': 'x = 1' } }, gate))).toEqual([
      'reject',
      'error: no new or changed file under output',
    ]);
    expect(said(await judge({ made: { 'output/a.py': 'x = 1' } }, gate))).toEqual(['pass']);
  }
});

it('what has no syntax to check is named in one note, and is no error', async () => {
  const made = {
    'output/a.md': '# (',
    'output/b.txt': '{',
    'output/c.png': Buffer.from([0x89, 0x50, 0, 1]),
    'output/d.xyz': '',
    'output/LICENSE': '(((',
    'output/e.py': Buffer.from([1, 0, 2]),
    'output/f.json': Buffer.alloc(10 * 1024 * 1024 + 1, ' '),
    'output/chart/templates/g.yaml': '{{- if .x }}\na: {{ .b }}\n{{- end }}\n',
    'output/node_modules/x.js': ')',
  };
  expect(said(await judge({ made }))).toEqual([
    'pass',
    `info: not checked: ${[
      '5 files of a type without a syntax check: output/LICENSE, output/a.md, output/b.txt, …',
      '1 file with binary content: output/e.py',
      '1 file over 10 MB: output/f.json',
      '1 file among the templates of a chart: output/chart/templates/g.yaml',
      '1 file of installed packages: output/node_modules/x.js',
    ].join('; ')}`,
  ]);
});

it('a script without an ending is known by its first line', async () => {
  const made = {
    'output/a': '#!/usr/bin/env python3\ndef f(:\n',
    'output/b': '#!/bin/sh\nif true; then\n',
    'output/c': '#! /usr/bin/env -S node --flag\nlet = ;\n',
    'output/d': '#!/usr/bin/ruby -w\nx = [1,\n',
  };
  expect(await places({ made })).toEqual([
    'reject',
    'error syntax_check output/a:2:7 missing ")"',
    'error syntax_check output/b:2:14 missing "fi"',
    'error syntax_check output/c:2:7 unexpected ";"',
    'error syntax_check output/d:2:8 missing "]"',
  ]);
});

it('scripts of other shells are not taken for bash', async () => {
  const made = { 'output/a.sh': '#!/bin/zsh\nfor x (1 2) print $x\n' };
  expect(said(await judge({ made }))).toEqual([
    'pass',
    'info: not checked: 1 file of a type without a syntax check: output/a.sh',
  ]);
});

it('a module that only Node itself understands passes', async () => {
  expect(said(await judge({ made: { 'output/a.mjs': 'const a = 1;\nexport { a as null };\n' } }))).toEqual(['pass']);
  const broken = 'const a = 1;\nexport { a as null }; )\n';
  expect(said(await judge({ made: { 'output/a.mjs': broken } }))[0]).toBe('reject');
});

it('the language of the gate counts for all its files', async () => {
  const example = { files: ['*'], made: { 'output/a.txt': BROKEN, 'output/b.js': 'x = 1\n' } };
  expect(await places({ ...example, language: 'py' })).toEqual([
    'reject',
    'error syntax_check output/a.txt:1:7 missing ")"',
  ]);
  expect(said(await judge({ ...example, language: 'javascript' }))[1]).toBe('error: unexpected "f"');
});

it('settings with comments are not called broken, other JSON with comments is', async () => {
  const commented = '// c\n{ "a": 1, }\n';
  const names = [
    'tsconfig.json',
    'tsconfig.build.json',
    'jsconfig.json',
    'a.jsonc',
    '.vscode/settings.json',
    '.eslintrc',
  ];
  const made = Object.fromEntries(names.map((name) => [`output/${name}`, commented]));
  expect(said(await judge({ made }))).toEqual(['pass']);
  expect(await places({ made: { 'output/package.json': commented } })).toEqual([
    'reject',
    'error syntax_check output/package.json:1:1 comments are not allowed here',
  ]);
});

it('old encodings are read; where the language demands UTF-8 they are an error', async () => {
  const latin = Buffer.from('x = "\xe4"\n', 'latin1');
  const cookie = Buffer.from('# -*- coding: latin-1 -*-\nx = "\xe4"\n', 'latin1');
  const wide = Buffer.from('\ufeffclass A { int b = ; }\n', 'utf16le');
  const made = { 'output/a.py': latin, 'output/b.py': cookie, 'output/c.rb': latin, 'output/d.cs': wide };
  expect(await places({ made })).toEqual([
    'reject',
    'error syntax_check output/d.cs:1:19 unexpected ";"',
    'error syntax_check output/a.py the file is not written in UTF-8',
    'warning syntax_check output/c.rb the file is not written in UTF-8',
    'warning syntax_check output/d.cs the file is not written in UTF-8',
  ]);
  expect(said(await judge({ made: { 'output/a.json': '\ufeff{}', 'output/b.py': '\ufeffx = 1\n' } }))).toEqual([
    'pass',
  ]);
});

const SLOW = '\\\n'.repeat(400_000);

it('of very many errors some are shown, nothing more is looked at, and that is said', async () => {
  const names = Array.from({ length: 11 }, (_, n) => `output/${n + 10}.py`);
  const made = Object.fromEntries(names.map((name) => [name, BROKEN.repeat(12)]));
  const answer = await judge({ made: { ...made, 'output/slow.py': SLOW } });
  const findings = answer.kind === 'judged' ? answer.findings : [];
  expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(100);
  expect(findings.at(-1)?.message).toMatch(/^at least \d+ more errors or warnings are not shown$/);
  expect(said(await judge({ made: { 'output/a.py': BROKEN.repeat(12) } })).slice(10)).toEqual([
    'error: missing ")"',
    'info: the file has more errors than are shown',
  ]);
});

const UNKNOWN_TO_THE_GRAMMAR = 'for file do\n  echo "$file"\ndone\n';

it('what a grammar did not understand before the phase either is only a warning, unless the file is named', async () => {
  const before = { 'output/a.sh': UNKNOWN_TO_THE_GRAMMAR, 'output/b.py': BROKEN };
  const made = { 'output/a.sh': `# changed\n${UNKNOWN_TO_THE_GRAMMAR}`, 'output/b.py': `${BROKEN}# changed\n` };
  expect(await places({ before, made })).toEqual([
    'reject',
    'warning syntax_check output/a.sh:2:10 unexpected "do"',
    'error syntax_check output/b.py:1:7 missing ")"',
  ]);
  const broken = `${UNKNOWN_TO_THE_GRAMMAR}if true; then\n`;
  expect((await places({ before, made: { 'output/a.sh': broken } }))[0]).toBe('reject');
  for (const example of [{ made }, { before, made, files: ['a.sh'] }]) {
    expect((await places(example))[1]).toBe('error syntax_check output/a.sh:2:10 unexpected "do"');
  }
});

it('a file that takes too long is an interruption that names it, and nothing is left running', async () => {
  const context = await contextOf({ made: { 'output/a.py': 'x = 1\n', 'output/slow.py': SLOW } });
  const { files: found } = context.tree;
  const silent = new AbortController();
  const idle: unknown[] = [];
  const run: GateContext['processes']['run'] = async (call) => {
    idle.push(call.idleMs);
    const onLine: typeof call.onLine = (...line) => {
      call.onLine?.(...line);
      silent.abort();
    };
    const end = await context.processes.run({ ...call, onLine, signal: silent.signal });
    return { ...end, ended: 'timeout_idle' };
  };
  const program = { ...context, processes: { ...context.processes, run } };
  const checked = await checkFiles(found, { tree: context.tree, program });
  expect(idle).toEqual([60_000]);
  expect(checked).toEqual({
    kind: 'interrupted',
    failure: 'timeout_wall',
    message: `output/slow.py: not checked after 60 s; split the file, or leave it out with the gate's "files"`,
  });
  expect(await context.processes.endMarked(context.marker)).toBe(0);
});

it('a run that is stopped does not wait for a slow file', async () => {
  const signal = AbortSignal.timeout(500);
  expect(said(await judge({ made: { 'output/slow.py': SLOW }, signal }))[0]).toBe('cancelled');
});

it('a parser that breaks down has no opinion, and says where it was', async () => {
  const context = await contextOf({ made: { 'output/a.py': 'x = 1\n' } });
  const argv = [process.execPath, '-e', 'throw new RangeError("out of memory")'];
  const processes = { ...context.processes, ownProgram: () => argv };
  const answer = await syntaxCheck.judge({ type: 'syntax_check' }, { ...context, processes });
  expect(said(answer)).toEqual(['crash', 'the parser broke down on output/a.py: RangeError: out of memory']);
});

it.each([
  ['very deep nesting', 'a.py', '('.repeat(10_000), 'reject'],
  ['very deep nesting of JSON', 'a.json', '['.repeat(1_000_000), 'reject'],
  ['very deep nesting of YAML', 'a.yaml', '['.repeat(20_000), 'reject'],
  ['very deep nesting of TypeScript', 'a.ts', 'f('.repeat(5_000), 'reject'],
  ['one very long line', 'a.js', `${'x=1;'.repeat(100_000)}`, 'pass'],
  ['one very long line that ends badly', 'a.json', `[${'1,'.repeat(2_000_000)}]`, 'reject'],
  ['a bomb of aliases', 'a.yaml', `a: &a [x]\n${'b: &b [*a, *a]\n'}`, 'pass'],
  ['20,000 keys', 'a.yaml', Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n'), 'pass'],
  ['line separators and strange characters', 'a.js', 'x = "\u2028\u2029\ud83d\ude00\u202e";\n', 'pass'],
])('%s', async (_what, name, text, outcome) => {
  expect(said(await judge({ made: { [`output/${name}`]: text } }))[0]).toBe(outcome);
});

it('a language nobody knows is an error of the plan', async () => {
  const gate = '{ type: syntax_check, language: pyton }';
  const plan = `project: { name: x }\nworkspace: phase-dirs\nphases:\n  - { id: a, type: development, quality_gate: ${gate} }\n`;
  const { findings } = await loadPlan(scratch({ 'phases.yaml': plan }));
  expect(findings).toMatchObject([
    { severity: 'error', message: 'unknown language "pyton"', hint: 'did you mean "python"?', location: { line: 4 } },
  ]);
});
