import { RE2JS } from 're2js';
import { oneLine } from '../../text/sanitise.ts';

/** Room for as many characters as a pattern may have; beyond it, what is repeated makes even RE2 slow. */
const LARGEST = 600;

/** What is wrong with a pattern of config/escalation.yaml; undefined when it can be used. */
export function errorPatternTrouble(pattern: string): { message: string; hint: string } | undefined {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    if (compiled.programSize() > LARGEST)
      return { message: 'this pattern repeats too much', hint: 'use smaller numbers in {}, or + and *' };
    if (!compiled.test('')) return undefined;
    const hint = 'remove the empty alternative or the *';
    return { message: 'this pattern matches every text, even an empty one', hint };
  } catch (error) {
    const reason = String((error as Error).message).replace(/^error parsing regexp: |\(\?i\)/g, '');
    return {
      message: `this is no pattern of RE2: ${oneLine(reason, 120)}`,
      hint: 'RE2 has no look-around and no back references; put a \\ before characters that are meant literally',
    };
  }
}
