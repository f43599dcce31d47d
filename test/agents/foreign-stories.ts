import type { CheckEvidence, JudgeAnswer } from '../../src/domain/judge/approval.ts';
import { askedChecks, fails, isJudge, passes, readPinned } from './approval-judge.ts';
import type { ForeignPackage } from './foreign-packages.ts';
import { type Message, say, structured, use } from './loopback/answer.ts';
import type { ModelRequest, Scenario } from './loopback-model.ts';

/** A package somebody else wrote, what is wanted of it, and what the model says to agents and judges. */
export type Story = {
  readonly foreign: ForeignPackage;
  readonly task: string;
  readonly model: Scenario;
};

/** What somebody does turn by turn; then they are done. */
type Work = readonly Message[];

/** Tests by mocha. The first attempt gives up what the limit is for, which no test sees; the judge does. */
export const distance: Story = {
  foreign: {
    ...{ registry: 'npm', name: 'damerau-levenshtein', version: '1.0.8' },
    sha256: 'a23cfcb0fcac3cab70443595dc31266a6e20efbdc63857cab53c985d95075688',
  },
  task: 'a limit shorter than both strings throws a TypeError; add a test for it',
  model: (request) => {
    const objected = request.messages.includes(OBJECTION);
    if (!isJudge(request)) return played(objected ? WITH_A_SIZE : WITHOUT_LIMIT, request);
    if (request.turn === 0) return readPinned(request, 'index.js');
    return structured(request.messages.includes('+  var size') ? approvesSize(request) : objects(request));
  },
};

const OBJECTION =
  'distance("a", "abcdefgh", 2) gave up at the limit with 3 steps; now it counts all 7, so the limit is without effect';
const UNLIMITED = 'limit = Math.max(limit || 0, thisLength, thatLength) + 1;';
const CALL = 'assert.equal(levenshtien("kitten", "sitting", 2).steps, 3);';

const WITHOUT_LIMIT: Work = [
  use('Read', { file_path: 'index.js' }),
  use('Edit', {
    file_path: 'index.js',
    old_string: 'limit = (limit || ((thatLength > thisLength ? thatLength : thisLength)))+1;',
    new_string: UNLIMITED,
  }),
  use('Read', { file_path: 'test/test.js' }),
  use('Edit', {
    file_path: 'test/test.js',
    old_string: '  describe("Empty strings", function() {',
    new_string: `  describe("Limit", function() {
    it("may be shorter than both strings", function() {
      ${CALL}
    });
  });

  describe("Empty strings", function() {`,
  }),
];

const WITH_A_SIZE: Work = [
  use('Read', { file_path: 'index.js' }),
  use('Edit', {
    file_path: 'index.js',
    old_string: UNLIMITED,
    new_string:
      'limit = (limit || ((thatLength > thisLength ? thatLength : thisLength)))+1;\n  var size = Math.max(thisLength, thatLength) + 1;',
  }),
  use('Edit', {
    file_path: 'index.js',
    old_string: `for (var i = 0; i < limit; i++) {
    matrix[i] = [i];
    matrix[i].length = limit;
  }
  for (i = 0; i < limit; i++) {`,
    new_string: `for (var i = 0; i < size; i++) {
    matrix[i] = [i];
    matrix[i].length = size;
  }
  for (i = 0; i < size; i++) {`,
  }),
];

function objects(request: ModelRequest): JudgeAnswer {
  const evidence = { file: 'index.js', quote: UNLIMITED };
  const hint = 'Give the matrix a size of its own, and leave the limit as it is.';
  return fails(askedChecks(request), { check: 'correctness', message: OBJECTION, hint, evidence });
}

function approvesSize(request: ModelRequest): JudgeAnswer {
  const size = { file: 'index.js', quote: 'var size = Math.max(thisLength, thatLength) + 1;' };
  const test = { file: 'test/test.js', quote: CALL };
  return showing(request, {
    task: [
      { ...size, shows: 'a limit shorter than both strings' },
      { ...test, shows: 'a test for it' },
    ],
    tests: [test],
    others: size,
  });
}

/** Nothing to install, tests by unittest; first a test that shows the bug, then the mending. */
export const markup: Story = {
  foreign: {
    ...{ registry: 'debian', name: 'python-xmltodict', version: '0.13.0' },
    sha256: 'd74f4099d42bcca273ffd3bc9766abaa8765960eabc4399f2a6ad48cb4f58ce0',
  },
  task: 'unparse writes < and > in the name of an element as they are; it has to raise a ValueError',
  model: (request) => {
    const mends = request.messages.includes('Mend the bug');
    if (!isJudge(request)) return played(mends ? REFUSES_NAMES : SHOWS_NAMES, request);
    if (request.turn === 0) return readPinned(request, 'xmltodict.py');
    const test = { file: 'tests/test_dicttoxml.py', quote: `unparse({'a><b': '1'})` };
    return structured(showing(request, { task: [MARKUP], tests: [test], others: MARKUP }));
  },
};

const MARKUP = { file: 'xmltodict.py', quote: "if '<' in key or '>' in key:" };
const EMITS = `        if pretty:
            content_handler.ignorableWhitespace(depth * indent)
        content_handler.startElement(`;

const SHOWS_NAMES: Work = [
  use('Read', { file_path: 'tests/test_dicttoxml.py' }),
  use('Edit', {
    file_path: 'tests/test_dicttoxml.py',
    old_string: '    def test_boolean_unparse(self):',
    new_string: `    def test_markup_in_name(self):
        with self.assertRaises(ValueError):
            unparse({'a><b': '1'})

    def test_boolean_unparse(self):`,
  }),
];

const REFUSES_NAMES: Work = [
  use('Read', { file_path: 'xmltodict.py' }),
  use('Edit', {
    file_path: 'xmltodict.py',
    old_string: EMITS,
    new_string: `        ${MARKUP.quote}
            raise ValueError('markup in the name of an element: %r' % key)
${EMITS}`,
  }),
];

/** No tests at all. */
export const colours: Story = {
  foreign: {
    ...{ registry: 'npm', name: 'picocolors', version: '1.1.1' },
    sha256: 'd3aedb2807967b7eb37fd11b03b7e3701e725af79c650d0812ff7213f8f882d9',
  },
  task: 'FORCE_COLOR=0 switches colours on; it has to switch them off',
  model: (request) => {
    if (!isJudge(request)) return played(OFF, request);
    if (request.turn === 0) return readPinned(request, 'picocolors.js');
    const line = {
      file: 'picocolors.js',
      quote: '!(!!env.NO_COLOR || env.FORCE_COLOR === "0" || argv.includes("--no-color")) &&',
    };
    return structured(passes(askedChecks(request), line));
  },
};

const OFF: Work = [
  use('Read', { file_path: 'picocolors.js' }),
  use('Edit', {
    file_path: 'picocolors.js',
    old_string: '!(!!env.NO_COLOR || argv',
    new_string: '!(!!env.NO_COLOR || env.FORCE_COLOR === "0" || argv',
  }),
];

function played(work: Work, { turn }: ModelRequest): Message {
  return work[turn] ?? say('Done.');
}

type Shown = {
  readonly task: readonly CheckEvidence[];
  readonly tests: readonly CheckEvidence[];
  readonly others: CheckEvidence;
};

function showing(request: ModelRequest, { task, tests, others }: Shown): JudgeAnswer {
  const answer = passes(askedChecks(request), others);
  const evidence: Readonly<Record<string, readonly CheckEvidence[]>> = { task, tests };
  return {
    ...answer,
    checks: answer.checks.map((check) => ({ ...check, evidence: [...(evidence[check.id] ?? [others])] })),
  };
}
