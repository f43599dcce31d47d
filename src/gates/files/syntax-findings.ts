import type { Finding } from '../../domain/finding.ts';
import type { Language } from '../../domain/language.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Flaw, Source } from './ask-syntax.ts';
import type { Skipped } from './source-reader.ts';

const CHECK = 'syntax_check';
const UTF8_ONLY: ReadonlySet<Language> = new Set(['go', 'json', 'jsonc', 'python', 'rust', 'yaml']);
const SHOWN = 3;

/** An error, unless there is doubt about it or it was there before the phase began. */
export function flawFinding({ source, problem }: Flaw, about: { old: boolean; forced: boolean }): Finding {
  const { line, column, message, doubt } = problem;
  const hints = [
    problem.hint,
    doubt && `only a warning, because ${doubt}`,
    about.old ? 'only a warning, because it stood here before this phase' : undefined,
    about.forced ? `it is read as ${source.language}, as the gate says` : undefined,
  ].filter((hint) => hint !== undefined);
  return {
    severity: doubt !== undefined || about.old ? 'warning' : 'error',
    check: CHECK,
    message: oneLine(message, 300),
    ...(hints.length > 0 && { hint: hints.join('; ') }),
    location: { file: source.path, line, column },
  };
}

/** What is to be said of files as a whole: their encoding, and that not all their errors are shown. */
export function fileFindings(sources: readonly Source[], more: readonly string[]): Finding[] {
  const guessed = sources.filter((source) => !source.utf8 && !namesEncoding(source));
  return [
    ...guessed.map(({ path, language }): Finding => {
      // Some languages are UTF-8 by definition; elsewhere an old encoding may be meant.
      const severity = UTF8_ONLY.has(language) ? 'error' : 'warning';
      const message = 'the file is not written in UTF-8';
      return { severity, check: CHECK, message, hint: 'save it as UTF-8', location: { file: path } };
    }),
    ...more.map(
      (file): Finding => ({
        severity: 'info',
        check: CHECK,
        message: 'the file has more errors than are shown',
        location: { file },
      }),
    ),
  ];
}

function namesEncoding({ language, text }: Source): boolean {
  return language === 'python' && /^(?:.*\n)?[ \t]*#.*coding[:=]/.test(text);
}

/** The first of many findings, errors before warnings, and how many are left out. */
export function sparing(findings: readonly Finding[], max: number): Finding[] {
  if (findings.length <= max) return [...findings];
  const [errors, others] = [true, false].map((error) =>
    findings.filter((each) => (each.severity === 'error') === error),
  );
  const kept = [...(errors ?? []), ...(others ?? [])].slice(0, max);
  const message = `at least ${findings.length - max} more errors or warnings are not shown`;
  return [...kept, { severity: 'info', check: CHECK, message }];
}

const REASONS: Readonly<Record<Skipped, string>> = {
  unknown: 'of a type without a syntax check',
  binary: 'with binary content',
  large: 'over 10 MB',
  template: 'among the templates of a chart',
  foreign: 'of installed packages',
};

/** One note on everything that was not checked, so that nobody takes it for checked. */
export function skippedFindings(skipped: readonly { why: Skipped; path: string }[]): Finding[] {
  const reasons = Object.entries(REASONS).flatMap(([why, reason]) => {
    const paths = skipped.filter((file) => file.why === why).map(({ path }) => oneLine(path, 80));
    if (paths.length === 0) return [];
    const names = paths.slice(0, SHOWN).join(', ') + (paths.length > SHOWN ? ', …' : '');
    return [`${paths.length} ${paths.length === 1 ? 'file' : 'files'} ${reason}: ${names}`];
  });
  if (reasons.length === 0) return [];
  return [{ severity: 'info', check: CHECK, message: `not checked: ${reasons.join('; ')}` }];
}
