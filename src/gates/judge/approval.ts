import type { z } from 'zod';
import type { Approver } from '../../approval/approver.ts';
import type { Finding } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { present } from '../../domain/present.ts';
import { profileBeside, rulesSource } from '../adr/adr-surroundings.ts';
import { NAMED_FILES } from '../adr/ask-about-adrs.ts';
import { type Concept, readConcept } from '../adr/read-concept.ts';
import { approvalAnswer, NOBODY_TO_ASK, rejectAbsent } from '../gate/approval-answer.ts';
import { defineGate } from '../gate/define-gate.ts';
import { existsAmong } from '../gate/exists-among.ts';
import type { AskingContext, GateContext, ToAsk } from '../gate/gate-context.ts';
import { type JudgedFiles, judgedFiles } from '../gate/judged-files.ts';
import { runPreCheck } from './pre-check.ts';
import type { PreCheckSource } from './pre-check-source.ts';

type Settings = z.infer<typeof GATE_SETTINGS.approval>;

/** Passes when an independent judge gives the result that is asked for. */
export const approval = defineGate({
  type: 'approval',
  settings: GATE_SETTINGS.approval,
  asks: async (settings, context) => {
    const { judged, concept } = await subjectOf(settings, context);
    return requestOf(settings, judged, 'check' in concept ? {} : concept);
  },
  judge: async (settings, context) => {
    const { approver } = context;
    if (approver === undefined) return NOBODY_TO_ASK;
    const { judged, concept } = await subjectOf(settings, { ...context, inputs: approver.inputs });
    if (judged.absent.length > 0) return rejectAbsent(judged.absent);
    if ('check' in concept) return { kind: 'judged', outcome: 'reject', findings: [concept] };
    const { approval_type: type, required_confidence: confidence } = settings;
    const source = { ...preCheckSource(judged, context, approver), ...concept };
    const found = await runPreCheck(type, judged.paths, source);
    if ('kind' in found) return found;
    const eased = type === 'adr' ? await easedBy(judged, context) : undefined;
    const told = [...found, ...(eased?.findings ?? [])];
    const answer = await approver.ask({ ...requestOf(settings, judged, concept), found: told });
    if (answer.kind === 'interrupted') return answer;
    const given = approvalAnswer(answer.result, { found: told, result: settings.required_result, confidence });
    return given.kind === 'judged' && eased !== undefined && eased.asks.length > 0
      ? { ...given, asks: eased.asks }
      : given;
  },
});

/** An approval phase judges what others made; whoever made it was asked about there. */
async function easedBy({ paths }: JudgedFiles, context: GateContext) {
  if (context.phase.type === 'approval') return undefined;
  return (await import('../adr/eased-adrs.ts')).easedIn(paths, context);
}

type Subject = { readonly judged: JudgedFiles; readonly concept: { readonly concept?: Concept } | Finding };

/** What is judged, and what it is compared with: a concept is never among what is judged. */
async function subjectOf(settings: Settings, context: AskingContext): Promise<Subject> {
  const judged = judgedFiles(settings.files, context);
  if (settings.concept === undefined) return { judged, concept: {} };
  const beside = new Set(judgedFiles([settings.concept], context).paths);
  const paths = judged.paths.filter((path) => !beside.has(path));
  const found = await readConcept(settings.concept, context);
  return { judged: { ...judged, paths }, concept: 'check' in found ? found : { concept: found } };
}

function requestOf(settings: Settings, { paths }: JudgedFiles, concept: { readonly concept?: Concept }): ToAsk {
  const { approval_type: type, diff, checks, model, timeout, required_confidence: confidence } = settings;
  return {
    ...{ type, role: 'reviewer', files: paths, ...concept, ...(type === 'adr' && { settled: [NAMED_FILES] }) },
    ...present({ diff, checks, model, timeoutSeconds: timeout, requiredConfidence: confidence }),
  };
}

function preCheckSource({ named }: JudgedFiles, context: GateContext, { inputs }: Approver): PreCheckSource {
  const { tree, base, phase } = context;
  const own = new Set(tree.files.map(({ path }) => path));
  const read = async (path: string, limit: number) =>
    own.has(path) ? tree.read(path, limit) : context.input(path, limit);
  const known = existsAmong([...own, ...inputs]);
  // Where every phase has a directory of its own, what lies beside a given file was not given with it.
  const elsewhere = (path: string) =>
    context.programsIn === 'project' && (phase.type === 'approval' || path.startsWith('input/'));
  return {
    read,
    exists: (path) => known(path) || (elsewhere(path) ? undefined : false),
    rules: rulesSource(context),
    profile: (path) => profileBeside(path, context),
    program: context,
    ...present({ projectFiles: context.projectFiles }),
    ...(!named && { before: base }),
  };
}
