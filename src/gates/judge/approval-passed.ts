import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Approver } from '../../approval/approver.ts';
import type { Finding } from '../../domain/finding.ts';
import { ApprovalResult } from '../../domain/judge/approval.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { sha256 } from '../../text/digest.ts';
import { joinPath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import { NOBODY_TO_ASK, rejectAbsent } from '../gate/approval-answer.ts';
import { defineGate } from '../gate/define-gate.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { type JudgedFiles, judgedFiles } from '../gate/judged-files.ts';

const RESULT = 'approval-result.json';
const INPUT = 'input/';
const LIMIT = 4 * 1024 * 1024;
const INPUT_LIMIT = 256 * 1024 * 1024;

/** Passes when a result file tells exactly what the journal holds: an approval of what is there now, where HELIX wrote it. */
export const approvalPassed = defineGate({
  type: 'approval_passed',
  settings: GATE_SETTINGS.approval_passed,
  judge: async ({ result_file: file }, context) => {
    const { approver } = context;
    if (approver === undefined) return NOBODY_TO_ASK;
    const { paths, absent } =
      file === undefined
        ? unnamedResults(context, approver)
        : judgedFiles([file], { ...context, inputs: approver.inputs });
    if (absent.length > 0) return rejectAbsent(absent);
    const findings: Finding[] = [];
    for (const path of paths) {
      const why = await whyNot(path, context, approver);
      if (why !== undefined)
        findings.push({ severity: 'error', check: 'approval_passed', ...why, location: { file: path } });
    }
    return { kind: 'judged', outcome: findings.length > 0 ? 'reject' : 'pass', findings };
  },
});

/** The result the phase was given, else the one it has where results are written, else any. */
function unnamedResults({ tree, phase }: GateContext, { inputs }: Approver): Pick<JudgedFiles, 'paths' | 'absent'> {
  const isResult = (path: string) => posix.basename(path) === RESULT;
  const own = tree.files.map(({ path }) => path).filter(isResult);
  const usual = new Set([RESULT, joinPath(phase.output.directory, RESULT)]);
  const choices = [inputs.filter(isResult), own.filter((path) => usual.has(path)), own];
  const paths = choices.find((choice) => choice.length > 0) ?? [];
  const hint = 'Let an approval phase before this one write it, or name it in the gate: result_file.';
  return { paths, absent: paths.length > 0 ? [] : [{ message: `there is no ${RESULT}`, hint }] };
}

type Reason = Pick<Finding, 'message' | 'hint'>;

const NOT_YOURS = 'Only HELIX writes approval results: have it approved again.';

async function whyNot(path: string, context: GateContext, approver: Approver): Promise<Reason | undefined> {
  const told = parseResult(await readFile(path, LIMIT + 1, context));
  if ('message' in told) return { message: `${path} ${told.message}`, hint: NOT_YOURS };
  const id = oneLine(told.approval_id, 80);
  const known = approver.given.filter(({ result }) => result.approval_id === told.approval_id);
  if (known.length === 0) {
    const message = `the approval ${id} is not on record: it was never given in this run, or what it judged has changed since`;
    return { message, hint: 'Have it approved again.' };
  }
  if (!known.some(({ result }) => isDeepStrictEqual(asWritten(result), told))) {
    return { message: `${path} is not what was written for the approval ${id}: it was edited`, hint: NOT_YOURS };
  }
  if (!known.some(({ outputs }) => isWrittenTo(path, outputs))) {
    const type = oneLine(told.approval_type, 64);
    const message = `${path} is a copy: the approval ${id} of type ${type} was never written there`;
    return { message, hint: 'Let an approval phase declare this path as its output, or name the file it writes.' };
  }
  const vouched = told.unsure === true && known.some((given) => given.vouched === true);
  if (told.result !== 'approved' && !vouched) {
    return { message: `the approval ${id} is ${told.result}`, hint: 'Mend what it found, and have it approved again.' };
  }
  return otherInput(told, context, approver);
}

/** What a phase was given lies below its folder for inputs, by all or the end of the path it was written to. */
function isWrittenTo(path: string, outputs: readonly string[]): boolean {
  if (outputs.includes(path)) return true;
  if (!path.startsWith(INPUT)) return false;
  const place = `/${path.slice(INPUT.length)}`;
  return outputs.some((output) => place.endsWith(`/${output}`) || `/${output}`.endsWith(place));
}

/** A field without a value is not written. */
function asWritten(result: ApprovalResult): unknown {
  return JSON.parse(JSON.stringify(result));
}

function parseResult(bytes: Buffer | undefined): ApprovalResult | { readonly message: string } {
  if (bytes === undefined) return { message: 'cannot be read' };
  if (bytes.length > LIMIT) return { message: 'is larger than 4 MB' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    return { message: `is not JSON: ${oneLine((cause as Error).message, 200)}` };
  }
  const result = ApprovalResult.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 5);
  const words = issues.map((issue) => `${issue.path.join('.') || 'the document'}: ${issue.message}`).join('; ');
  return { message: `is not an approval result: ${oneLine(words, 500)}` };
}

/** A verdict belongs to content: wherever what was judged is to be seen, it must still be that. */
async function otherInput(
  { inputs: judged }: ApprovalResult,
  context: GateContext,
  { inputs }: Approver,
): Promise<Reason | undefined> {
  const before = new Set(context.base.files.map(({ path }) => path));
  for (const { path, sha256: approved } of judged) {
    const isSame = (content: Buffer) => sha256(content) === approved;
    const made = await context.tree.read(path, INPUT_LIMIT);
    const given = await givenAs(path, context, inputs);
    const removed = made === undefined && before.has(path);
    const lies = given.length === 0 && made === undefined ? await inProject(path, context) : undefined;
    const same =
      (made === undefined || isSame(made)) &&
      (given.length === 0 || given.some(isSame)) &&
      (lies === undefined || isSame(Buffer.from(lies)));
    if (same && !removed) continue;
    const message = `${oneLine(path, 200)} is ${removed ? 'gone' : 'no longer what was approved'}`;
    return { message, hint: 'Have it approved again, or bring back what was approved.' };
  }
  return undefined;
}

/** A file of the project that a phase before this one was given, as it lies there now. */
async function inProject(path: string, { projectFile }: GateContext): Promise<string | undefined> {
  return path.startsWith(INPUT) ? projectFile(path.slice(INPUT.length), INPUT_LIMIT) : undefined;
}

/** What the attempt was given under a path, or below another folder: each phase sees a file where that file was given to it. */
async function givenAs(path: string, { input }: GateContext, inputs: readonly string[]): Promise<Buffer[]> {
  const places = inputs.includes(path) ? [path] : inputs.filter((place) => place.endsWith(`/${path}`));
  const contents: Buffer[] = [];
  for (const place of places.length > 0 ? places : [path]) {
    const content = await input(place, INPUT_LIMIT);
    if (content !== undefined) contents.push(content);
  }
  return contents;
}

async function readFile(path: string, limit: number, { tree, input }: GateContext): Promise<Buffer | undefined> {
  return (await tree.read(path, limit)) ?? (await input(path, limit));
}
