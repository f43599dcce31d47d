import type { SourceLanguage } from '../syntax/grammar.ts';

/** What stands between two values, and what it becomes. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '<>': '==',
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  '-eq': '-ne',
  '-ne': '-eq',
  '-lt': '-ge',
  '-ge': '-lt',
  '-gt': '-le',
  '-le': '-gt',
  '-z': '-n',
  '-n': '-z',
};

const PYTHON: Readonly<Record<string, string>> = {
  in: 'not in',
  'not in': 'in',
  is: 'is not',
  'is not': 'is',
  '//': '*',
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '++': '--',
  '--': '++',
};

/** Those that often mean something else, such as writing to a stream. */
const BITWISE: Readonly<Record<string, string>> = {
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
  '??': '&&',
};

/** The operator that takes the place of another one, and how telling that is. */
export function swapOf(operator: string, language: SourceLanguage): { text: string; rank: number } | undefined {
  const comparison = own(COMPARISONS, operator) ?? (language === 'python' ? own(PYTHON, operator) : undefined);
  if (comparison !== undefined) return { text: comparison, rank: 1 };
  const arithmetic = own(ARITHMETIC, operator);
  if (arithmetic !== undefined) return { text: arithmetic, rank: 2 };
  const other = own(BITWISE, operator);
  return other === undefined ? undefined : { text: other, rank: 5 };
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
