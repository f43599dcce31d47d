import { type Finding, hasError } from '../domain/finding.ts';
import { LANGUAGE_NAMES, type Language } from '../domain/language.ts';
import type { GateAnswer, GateContext } from '../ports.ts';
import { askSyntax, type Flaw, type Interrupted, type SyntaxLimits } from './ask-syntax.ts';
import { OldFlaws } from './old-flaws.ts';
import { SourceReader } from './source-reader.ts';
import { fileFindings, flawFinding, skippedFindings, sparing } from './syntax-findings.ts';
import { type WantedFiles, wantedFiles } from './wanted-files.ts';

/** So many errors that looking for more helps nobody. */
const ENOUGH = 100;

type Settings = { readonly files?: string[] | undefined; readonly language?: keyof typeof LANGUAGE_NAMES | undefined };

/** Judges whether the wanted files are there, reported under the name `presence`, and follow the syntax of their language. */
export async function judgeSyntax(settings: Settings, context: GateContext, presence: string): Promise<GateAnswer> {
  const wanted = wantedFiles(settings.files, context);
  const language = settings.language && LANGUAGE_NAMES[settings.language];
  const checked = await checkFiles(wanted, context, { language });
  if ('kind' in checked) return checked;
  const missing = wanted.absent.map((absence): Finding => ({ severity: 'error', check: presence, ...absence }));
  const findings = [...missing, ...checked];
  return { kind: 'judged', outcome: hasError(findings) ? 'reject' : 'pass', findings };
}

type Options = { readonly language?: Language | undefined; readonly limits?: SyntaxLimits };

/** Checks the syntax of files; in those that nobody named, what was there before the phase does not count. */
export async function checkFiles(
  { found, named }: Pick<WantedFiles, 'found' | 'named'>,
  context: GateContext,
  { language, limits }: Options = {},
): Promise<Finding[] | Interrupted> {
  const reader = new SourceReader(context.tree, { language, foreign: named });
  const old = named ? undefined : new OldFlaws(context, language);
  const isSure = (flaw: Flaw) => flaw.problem.doubt === undefined && old?.possible(flaw) !== true;
  const findings: Finding[] = [];
  for await (const sources of reader.batches(found)) {
    const enough = (flaws: readonly Flaw[]) => flaws.filter(isSure).length >= ENOUGH;
    const answer = await askSyntax(sources, context, { ...limits, enough });
    if (answer.kind === 'interrupted') return answer;
    const before = await old?.among(answer.flaws);
    if (before !== undefined && 'kind' in before) return before;
    const about = (flaw: Flaw) => ({ old: before?.has(flaw) === true, forced: language !== undefined });
    findings.push(...answer.flaws.map((flaw) => flawFinding(flaw, about(flaw))), ...fileFindings(sources, answer.more));
    if (answer.looked < sources.length) break;
  }
  return [...sparing(findings, ENOUGH), ...skippedFindings(reader.skipped)];
}
