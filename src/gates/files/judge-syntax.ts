import { type Finding, hasError } from '../../domain/finding.ts';
import { LANGUAGE_NAMES, type Language } from '../../domain/language.ts';
import type { GateAnswer, GateContext } from '../gate/gate-context.ts';
import { wantedFiles } from '../gate/wanted-files.ts';
import { askSyntax, type Flaw, type Interrupted, type SyntaxProgram } from './ask-syntax.ts';
import { type Before, OldFlaws } from './old-flaws.ts';
import { type Readable, SourceReader } from './source-reader.ts';
import { fileFindings, flawFinding, skippedFindings, sparing } from './syntax-findings.ts';

/** So many errors that looking for more helps nobody. */
const ENOUGH = 100;

type Settings = { readonly files?: string[] | undefined; readonly language?: keyof typeof LANGUAGE_NAMES | undefined };

/** Judges whether the wanted files are there, reported under the name `presence`, and follow the syntax of their language. */
export async function judgeSyntax(settings: Settings, context: GateContext, presence: string): Promise<GateAnswer> {
  const wanted = wantedFiles(settings.files, context);
  const language = settings.language && LANGUAGE_NAMES[settings.language];
  const { tree, base } = context;
  const about = { tree, ...(!wanted.named && { before: base }), program: context };
  const checked = await checkFiles(wanted.found, about, language);
  if ('kind' in checked) return checked;
  // What is gone has no syntax to break; only a gate on presence wants something to be there.
  const absent = wanted.removes && presence === 'syntax_check' ? [] : wanted.absent;
  const missing = absent.map((absence): Finding => ({ severity: 'error', check: presence, ...absence }));
  const findings = [...missing, ...checked];
  return { kind: 'judged', outcome: hasError(findings) ? 'reject' : 'pass', findings };
}

/** What is checked. Where it is known what there was before, flaws from then count for less and installed packages not at all. */
export type SyntaxSubject = {
  readonly tree: Readable;
  readonly before?: Before;
  readonly program: SyntaxProgram;
};

/** Checks the syntax of files. */
export async function checkFiles(
  files: readonly { readonly path: string }[],
  { tree, before, program }: SyntaxSubject,
  language?: Language,
): Promise<Finding[] | Interrupted> {
  const reader = new SourceReader(tree, { language, foreign: before === undefined });
  const old = before && new OldFlaws(before, program, language);
  const isSure = (flaw: Flaw) => flaw.problem.doubt === undefined && old?.possible(flaw) !== true;
  const findings: Finding[] = [];
  for await (const sources of reader.batches(files)) {
    const enough = (flaws: readonly Flaw[]) => flaws.filter(isSure).length >= ENOUGH;
    const answer = await askSyntax(sources, program, enough);
    if (answer.kind === 'interrupted') return answer;
    const known = await old?.among(answer.flaws);
    if (known !== undefined && 'kind' in known) return known;
    const about = (flaw: Flaw) => ({ old: known?.has(flaw) === true, forced: language !== undefined });
    findings.push(...answer.flaws.map((flaw) => flawFinding(flaw, about(flaw))), ...fileFindings(sources, answer.more));
    if (answer.looked < sources.length) break;
  }
  return [...sparing(findings, ENOUGH), ...skippedFindings(reader.skipped)];
}
