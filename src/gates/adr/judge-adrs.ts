import type { z } from 'zod';
import { checkAgainstConcept } from '../../adr/check-against-concept.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import type { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import type { AskingContext, GateAnswer, GateContext, ToAsk } from '../gate/gate-context.ts';
import { wantedFiles } from '../gate/wanted-files.ts';
import { adrRules } from './adr-rules.ts';
import { profileBeside, rulesSource } from './adr-surroundings.ts';
import { type AdrSubject, askAboutAdrs, requestAbout } from './ask-about-adrs.ts';
import { checkAdrs, readAdrs } from './check-adrs.ts';
import { checkNamedFiles } from './check-named-files.ts';
import { easedAdrs } from './eased-adrs.ts';
import { readConcept } from './read-concept.ts';

type Settings = z.infer<typeof GATE_SETTINGS.adr_complete>;

/** Checks the ADRs of a phase by layers 1 and 2 and, where `complete` is wanted, by layer 3 against a concept and by layer 4. */
export async function judgeAdrs(settings: Settings, context: GateContext, complete: boolean): Promise<GateAnswer> {
  const rules = await adrRules(rulesSource(context), settings.rules);
  if ('message' in rules) return { kind: 'interrupted', failure: 'setup', message: rules.message };
  const { subject, findings: trouble } = await subjectOf(settings, context, complete);
  const { adrs, concept } = subject;
  const checking = {
    rules,
    profile: (path: string) => profileBeside(path, context),
    ...(concept && { concept: checkAgainstConcept(concept.text, concept.path) }),
  };
  const named = complete ? checkNamedFiles(adrs, await context.projectFiles?.()) : [];
  const findings = [...trouble, ...(await checkAdrs(adrs, checking)), ...named];
  if (hasError(findings)) return { kind: 'judged', outcome: 'reject', findings };
  const eased = await easedAdrs(adrs, rules, context);
  const told = [...findings, ...eased.findings];
  const answer = complete ? await askAboutAdrs(subject, told, context) : passed(told);
  return answer.kind === 'judged' && eased.asks.length > 0 ? { ...answer, asks: eased.asks } : answer;
}

function passed(findings: readonly Finding[]): GateAnswer {
  return { kind: 'judged', outcome: 'pass', findings };
}

/** What layer 4 would ask a judge about the ADRs of a phase. */
export async function adrRequest(settings: Settings, context: AskingContext): Promise<ToAsk | undefined> {
  const { subject } = await subjectOf(settings, context, true);
  return subject.adrs.length === 0 ? undefined : requestAbout(subject);
}

type Subject = { readonly subject: AdrSubject; readonly findings: readonly Finding[] };

/** The ADRs of a phase and their concept, with what of them is missing or cannot be read. */
async function subjectOf(
  { file, semantic, concept: named }: Settings,
  context: Omit<AskingContext, 'inputs'>,
  complete: boolean,
): Promise<Subject> {
  const check = complete ? 'adr_complete' : 'adr_valid';
  const { found, absent } = wantedFiles(file === undefined ? undefined : [file], context);
  const paths = found.map(({ path }) => path).filter((path) => file !== undefined || /\.(?:md|markdown)$/i.test(path));
  const findings: Finding[] = absent.map((absence) => ({ severity: 'error', check, ...absence }));
  if (paths.length === 0 && findings.length === 0) {
    const hint = 'Write the ADR as Markdown, or name it in the gate: file: output/ADR-*.md';
    findings.push({ severity: 'error', check, message: 'there is no ADR to judge', hint });
  }
  const read = complete && named !== undefined ? await readConcept(named, context) : undefined;
  if (read !== undefined && 'check' in read) findings.push(read);
  const concept = read === undefined || 'check' in read ? undefined : read;
  const { adrs, unreadable } = await readAdrs(
    paths.filter((path) => path !== concept?.path),
    context.tree,
  );
  return { subject: { adrs, semantic, concept }, findings: [...findings, ...unreadable] };
}
