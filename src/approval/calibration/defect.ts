import { RE2JS } from 're2js';
import type { DefectEntry } from '../../domain/judge/defects-file.ts';
import { oneLine } from '../../text/sanitise.ts';

const FLAGS = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE | RE2JS.DOTALL;
/** Beyond it even RE2 is slow. */
const LARGEST = 1500;
const MAX_MATCHES = 1000;
const REFERENCE = /\$(?:(\d+)|(\$))?/g;

/** A way to plant a defect that one check should notice. */
export type Defect = {
  readonly id: string;
  readonly check: string;
  readonly about: string;
  /** The text with the defect in it; undefined where it does not apply: nothing matches, or nothing would change. */
  readonly plant: (text: string) => string | undefined;
};

/** What is wrong with an entry, and with which part of it. */
export type DefectTrouble = { readonly key: 'find' | 'replace'; readonly message: string; readonly hint: string };

/** Makes an entry something that can be planted, or says why it cannot be. */
export function compileDefect({ id, check, about, find, replace }: DefectEntry): Defect | DefectTrouble {
  const compiled = compile(find);
  if ('message' in compiled) return compiled;
  const trouble = replacementTrouble(replace, compiled.groupCount());
  if (trouble !== undefined) return trouble;
  return { id, check, about, plant: (text) => plant(text, compiled, replace) };
}

function compile(find: string): RE2JS | DefectTrouble {
  try {
    const compiled = RE2JS.compile(find, FLAGS);
    if (compiled.programSize() > LARGEST) {
      const hint = 'use smaller numbers in {}, or + and *';
      return { key: 'find', message: 'this expression repeats too much', hint };
    }
    if (!compiled.test('')) return compiled;
    const hint = 'remove the empty alternative or the *';
    return { key: 'find', message: 'this expression matches every text, even an empty one', hint };
  } catch (error) {
    const reason = oneLine((error as Error).message.replace(/^error parsing regexp: /, ''), 120);
    const hint = 'put a \\ before characters that are meant literally; RE2 has no look-around and no back references';
    return { key: 'find', message: `this is no expression of RE2: ${reason}`, hint };
  }
}

function replacementTrouble(replace: string, groups: number): DefectTrouble | undefined {
  for (const [whole, number, dollar] of replace.matchAll(REFERENCE)) {
    if (dollar !== undefined || (number !== undefined && Number(number) <= groups)) continue;
    const message =
      number === undefined
        ? 'a single $ stands for nothing'
        : `${whole} stands for a group, and "find" has ${groups === 0 ? 'none' : `only ${groups}`}`;
    return { key: 'replace', message, hint: 'write $$ for a dollar' };
  }
  return undefined;
}

function plant(text: string, compiled: RE2JS, replace: string): string | undefined {
  const matcher = compiled.matcher(text);
  const parts: string[] = [];
  let end = 0;
  for (let count = 0; count < MAX_MATCHES && matcher.find(); count += 1) {
    const filled = replace.replace(REFERENCE, (_, number?: string) =>
      number === undefined ? '$' : (matcher.group(Number(number)) ?? ''),
    );
    parts.push(text.slice(end, matcher.start()), filled);
    end = matcher.end();
  }
  const planted = parts.join('') + text.slice(end);
  return planted === text ? undefined : planted;
}
