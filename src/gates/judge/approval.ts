import type { Approver } from '../../approval/approver.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { present } from '../../domain/present.ts';
import { profileBeside, rulesSource } from '../adr/adr-surroundings.ts';
import { approvalAnswer, NOBODY_TO_ASK, rejectAbsent } from '../gate/approval-answer.ts';
import { defineGate } from '../gate/define-gate.ts';
import { existsAmong } from '../gate/exists-among.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { type JudgedFiles, judgedFiles } from '../gate/judged-files.ts';
import { runPreCheck } from './pre-check.ts';
import type { PreCheckSource } from './pre-check-source.ts';

/** Passes when an independent judge gives the result that is asked for. */
export const approval = defineGate({
  type: 'approval',
  settings: GATE_SETTINGS.approval,
  judge: async (settings, context) => {
    const { approver } = context;
    if (approver === undefined) return NOBODY_TO_ASK;
    const judged = judgedFiles(settings.files, context, approver);
    if (judged.absent.length > 0) return rejectAbsent(judged.absent);
    const { approval_type: type, diff, checks, model, timeout, required_confidence: confidence } = settings;
    const found = await runPreCheck(type, judged.paths, preCheckSource(judged, context, approver));
    if ('kind' in found) return found;
    const answer = await approver.ask({
      type,
      role: 'reviewer',
      files: judged.paths,
      found,
      ...present({ diff, checks, model, timeoutSeconds: timeout, requiredConfidence: confidence }),
    });
    if (answer.kind === 'interrupted') return answer;
    return approvalAnswer(answer.result, { found, result: settings.required_result, confidence });
  },
});

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
    ...(!named && { before: base }),
  };
}
