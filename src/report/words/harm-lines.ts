/** A line of trust about a command that a gate starts: whether it is new or gone, how it was found, for which phase, and what. */
const GATE = /^([+-] )(detected )?gate command of ([\w-]+): (.*)$/s;

type Shown = { readonly sign: string; phases: string[]; detected: boolean; text: string };

/** Lines of trust as they are read: a command that several phases start stands there once, with all of them and what it runs. */
export function readableHarms(lines: readonly string[]): string[] {
  const shown: (string | Shown)[] = [];
  for (const line of lines) {
    const [, sign = '', found, phase = '', text = ''] = GATE.exec(line) ?? [];
    const same = shown.find((each) => typeof each !== 'string' && each.sign === sign && isSame(each.text, text));
    if (sign === '') shown.push(line);
    else if (same === undefined || typeof same === 'string')
      shown.push({ sign, phases: [phase], detected: found !== undefined, text });
    else {
      same.phases = [...new Set([...same.phases, phase])];
      same.detected &&= found !== undefined;
      if (text.length > same.text.length) same.text = text;
    }
  }
  return shown.map((each) => {
    if (typeof each === 'string') return each;
    const { sign, phases, detected, text } = each;
    return `${sign}${detected ? 'detected ' : ''}gate command of ${phases.join(' and ')}: ${text}`;
  });
}

/** The same command, or the same with the scripts that it was found to run. */
function isSame(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short === long || long.startsWith(`${short}, which runs `);
}
