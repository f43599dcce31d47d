import type { Question } from '../../approval/question.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import { placeOf } from '../../report/approval/approval-place.ts';
import { framesIn } from '../../text/code-frame.ts';
import type { Call } from '../call/command.ts';
import { formatOf } from '../call/format-of.ts';

const FRAME_LIMIT = 4 * 1024 * 1024;

type Shown = { readonly call: Call; readonly question: Question; readonly kept: string };
type Format = (result: ApprovalResult, shown: Shown) => Promise<string>;

const FORMATS: Readonly<Record<string, Format>> = {
  text: async (result, { call, question, kept }) => {
    const { renderApproval } = await import('../../report/approval/approval-text.ts');
    const texts = await pinnedTexts(result, question);
    return renderApproval(result, { paint: call.terminal.paintOut, texts, frame: framesIn(texts), kept });
  },
  json: async (result) =>
    (await import('../../report/words/json.ts')).renderJson({ schema: 'helix.approval/1', ...result }),
  sarif: async (result, { question }) => {
    const { renderApprovalSarif } = await import('../../report/approval/approval-sarif.ts');
    const { readVersion } = await import('../../adapters/disk/shipped-config.ts');
    const checks = new Map(question.definition.checks.map(({ id, text }) => [id, text]));
    const texts = await pinnedTexts(result, question);
    return renderApprovalSarif(result, { version: readVersion(), describe: (check) => checks.get(check), texts });
  },
};

/** The format a call asks for. */
export function approvalFormat(call: Call): Format {
  return formatOf(call, FORMATS);
}

/** What was judged, of the files that something was found in. */
async function pinnedTexts({ findings }: ApprovalResult, { snapshot }: Question): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const file of new Set(findings.flatMap((finding) => placeOf(finding)?.file ?? []))) {
    const bytes = await snapshot.read(file, FRAME_LIMIT);
    if (bytes !== undefined) texts.set(file, bytes.toString('utf8'));
  }
  return texts;
}
