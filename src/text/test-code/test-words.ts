import type { SourceLanguage } from '../syntax/grammar.ts';

/** A function or a call as a test is told by it: its name, and what stands before the name. */
type Named = { readonly name: string; readonly head: string };

/** How tests are written in a language. */
export type TestWords = {
  /** The kinds of nodes that define a function, and those that call one. */
  readonly functions: readonly string[];
  readonly calls: readonly string[];
  /** The functions that are tests. */
  readonly isTest: (named: Named) => boolean;
  /** Calls that are tests when a function is handed to them. */
  readonly testCalls?: RegExp;
  /** Calls that check something: by their own name, or by what they are called on. */
  readonly asserting?: RegExp;
  readonly assertingOn?: RegExp;
  /** What stands before the name of a test that has to fail in a certain way. */
  readonly expectsFailure?: RegExp;
  /** What stands before the name of a test, or of the class it stands in, that is not run or may fail. */
  readonly idle?: RegExp;
  /** Functions of the language's own that end a test. */
  readonly skipping?: RegExp;
  /** The kinds of definitions of which another of the same name in the same block takes the place. */
  readonly lastWins?: readonly string[];
  /** What keeps all tests of a text from being run. */
  readonly idleWhole?: RegExp;
};

const never = () => false;

const SCRIPT: TestWords = {
  functions: ['function_declaration', 'generator_function_declaration', 'method_definition', 'variable_declarator'],
  calls: ['call_expression'],
  isTest: never,
  testCalls: /^(?:it|test|specify|fit|ftest|xit|xtest|xspecify)$/,
  assertingOn: /^(?:assert|should|t)$/,
};

/** The languages whose tests can be told, and how. */
export const TEST_WORDS: Partial<Readonly<Record<SourceLanguage, TestWords>>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: {
    functions: ['function_definition'],
    calls: ['call', 'assert_statement'],
    isTest: ({ name }) => /^test/.test(name),
    asserting: /^(?:raises|warns)$/,
    lastWins: ['class_definition', 'function_definition'],
    idle: /@(?:[\w.]{0,50}\.)?(?:skip|expectedFailure|xfail)\b|@[\w.]{0,50}skip(?:[iI]f\(\s*(?:True\b|1\b|not\s+False\b|\d+\s*[=<>!]+\s*\d)|Unless\(\s*(?:False\b|0\b))|@[\w.]{0,50}parametrize\([^)\n]{0,200},\s*(?:\[\s*\]|\(\s*\))/,
    idleWhole: /^pytestmark\s*=[^#\n]{0,300}\b(?:skip|xfail)\b|^pytest\.skip\(|^__test__\s*=\s*False\b/m,
  },
  go: {
    functions: ['function_declaration', 'method_declaration'],
    calls: ['call_expression'],
    isTest: ({ name }) => /^(?:Test|Fuzz)/.test(name),
    assertingOn: /^(?:assert|require|is|qt)$/,
    idleWhole: /^\/\/(?:go:build|\s*\+build)\s+(?:ignore|never|none)\b/m,
  },
  java: {
    functions: ['method_declaration'],
    calls: ['method_invocation', 'assert_statement'],
    isTest: ({ name, head }) => /^test/.test(name) || /@(?:\w{1,100}\.){0,9}\w{0,100}Test\b/.test(head),
    asserting: /^andExpect/,
    expectsFailure: /@Test\b[^)]{0,500}\bexpected\b/,
    idle: /@(?:\w{1,50}\.){0,9}(?:Disabled|Ignore)\b|@Test\([^)]{0,200}\benabled\s*=\s*false\b/,
  },
  rust: {
    functions: ['function_item'],
    calls: ['macro_invocation', 'call_expression'],
    isTest: ({ head }) => /#\[(?!cfg)[^\]]{0,200}\b(?:test|rstest|test_case|quickcheck)\b/.test(head),
    asserting: /^(?:(?:debug|prop)_assert|panic$|unreachable$)/,
    expectsFailure: /#\[should_panic/,
    idle: /#\[\s*ignore\b|#\[cfg\(\s*any\(\s*\)\s*\)\]/,
    idleWhole: /^#!\[cfg\(\s*any\(\s*\)\s*\)\]/m,
  },
  ruby: {
    functions: ['method', 'singleton_method'],
    calls: ['call'],
    isTest: ({ name }) => /^test_/.test(name),
    testCalls: /^[fx]?(?:it|test|specify|example|scenario|should)$/,
    asserting: /^(?:must|wont)_|^refute/,
    assertingOn: /^is_expected$/,
    skipping: /^(?:skip|pending)$/,
    lastWins: ['method'],
  },
  php: {
    functions: ['method_declaration', 'function_definition'],
    calls: ['member_call_expression', 'scoped_call_expression', 'function_call_expression'],
    isTest: ({ name, head }) => /^test/.test(name) || /#\[\s{0,9}Test\b/.test(head),
    testCalls: /^(?:it|test)$/,
  },
  csharp: {
    functions: ['method_declaration', 'local_function_statement'],
    calls: ['invocation_expression'],
    isTest: ({ head }) => /\[[^\]]{0,200}\b(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/.test(head),
    assertingOn: /^(?:\w{0,50}Assert)$/,
    idle: /\[(?:[^\]]{0,200}[\s,])?(?:Ignore|Explicit)\b|\b(?:Skip|IgnoreReason)\s*=\s*["@$]/,
  },
};
