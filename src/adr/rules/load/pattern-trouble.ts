import { oneLine } from '../../../text/sanitise.ts';
import { compilePattern } from '../pattern.ts';
import { compileRe2 } from './re2-expression.ts';

/** What other engines know and RE2 leaves out, because it cannot be done in linear time. */
const NOT_IN_RE2: readonly (readonly [RegExp, string, string])[] = [
  [/\(\?<?[=!]/, 'look-around', 'match the text itself, or split the pattern in two'],
  [/\\[1-9]|\(\?P=|\\k</, 'back references', 'write the repeated text out'],
  [
    /\(\?>|[*+?}]\+/,
    'atomic groups or possessive quantifiers',
    'use a plain group or quantifier; RE2 never backtracks',
  ],
  [/\(\?#/, 'comments', 'write a YAML comment'],
  [/\(\?\(/, 'conditionals', 'write the alternatives out'],
];
const LONGEST = 2000;
/** Patterns people write have less than a tenth of that; beyond it even RE2 is slow. */
const LARGEST = 1500;

/** What is wrong with a pattern; undefined when it can be used. */
export function patternTrouble(source: string): { message: string; hint: string } | undefined {
  if (/^`{3,}/.test(source)) return undefined;
  if (source.length > LONGEST)
    return { message: `this pattern is longer than ${LONGEST} characters`, hint: 'split it into several patterns' };
  try {
    const whole = compileRe2(source);
    if (whole.size > LARGEST)
      return { message: 'this pattern repeats too much', hint: 'use smaller numbers in {}, or + and *' };
    if (whole.matchesNothing)
      return {
        message: 'this pattern matches every text, even an empty one',
        hint: 'remove the empty alternative or the *',
      };
    compilePattern(source, compileRe2);
    return undefined;
  } catch (error) {
    const plain = source.replace(/\\\\/g, '');
    const [, name, hint] = NOT_IN_RE2.find(([sign]) => sign.test(plain)) ?? [];
    if (name !== undefined && hint !== undefined)
      return { message: `RE2 has no ${name}: "${oneLine(source, 60)}"`, hint };
    const reason = oneLine(
      String((error as Error).message)
        .replace(/^error parsing regexp: /, '')
        .replace('(?i)', ''),
      120,
    );
    return {
      message: `this is no pattern of RE2: ${reason}`,
      hint: 'put a \\ before characters that are meant literally',
    };
  }
}
