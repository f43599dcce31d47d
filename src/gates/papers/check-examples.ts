import type { Finding } from '../../domain/finding.ts';
import { oneLine } from '../../text/sanitise.ts';

const SHOWN = 50;
/** The path of a file below a folder of examples, as documents name it in code and commands. */
const EXAMPLE =
  /(?<![\w./:@-])(?:\.\/)?((?:[\w.-]+\/){0,6}examples?\/(?:[\w.@-]+\/){0,8}[\w.@-]*\.[a-z]\w{0,7})(?![\w/*{<])/gi;

/** Checks that the files of examples that a document names are there; `exists` is undefined where that cannot be known. */
export function checkExamples(file: string, text: string, exists: (path: string) => boolean | undefined): Finding[] {
  const findings = new Map<string, Finding>();
  for (const [index, line] of text.split('\n').entries()) {
    const own = line.replaceAll(/\S*:\/\/\S*/g, ' ');
    for (const [, path = ''] of own.matchAll(EXAMPLE)) {
      if (findings.has(path) || findings.size >= SHOWN || exists(path) !== false) continue;
      findings.set(path, {
        ...{
          severity: 'error',
          check: 'examples',
          message: `there is no ${oneLine(path, 200)}, which is named as an example`,
        },
        ...{ hint: 'Write the example, or correct its path.', location: { file, line: index + 1 } },
      });
    }
  }
  return [...findings.values()];
}
