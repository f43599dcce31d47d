import type { HilRequestDocument } from '../../domain/documents/escalation-documents.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { humanCase, type Rules } from '../../engine/publish/human-case.ts';
import { scopeOf } from '../../engine/run.ts';
import { gateRules } from '../../engine/words/gate-notes.ts';
import { GATES } from '../../gates/registry.ts';
import type { World } from '../../ports/world.ts';
import { fold, wrap } from '../../report/words/columns.ts';
import { QUOTED } from '../../report/words/failure-lines.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import type { OpenRun } from '../call/find-run.ts';
import { withVisit } from '../call/with-visit.ts';

const SPEC_LINES = 12;

/** What a human should know who decides. */
export type Context = HilRequestDocument['context'];

/** What the journal knows of the moment a question was asked, whatever the files say that were written about it. */
export async function knownContext(world: World, { state, events }: OpenRun, request: RequestState): Promise<Context> {
  try {
    const files = await world.files(state.run);
    return await withVisit(world, { kind: 'diff', scope: scopeOf(state) }, ({ workspace }) => {
      const ports = { ...world, workspace, gates: GATES };
      const rules: Rules = (phase, then) => gateRules(phase, { ports, state: then });
      return humanCase(request, {
        ...{ state, events, files, rules },
        workspace: async () => workspace,
        project: world.project,
      });
    });
  } catch (error) {
    // What was cleared away cannot be told; the question can be answered all the same.
    if (!(error instanceof HelixError)) throw error;
    return undefined;
  }
}

/** What was asked for, said and claimed, beside what failed. */
export function renderKnown(context: Context, { width, paint }: Canvas): string[] {
  if (context === undefined) return [];
  const { specification = '', spec_changes, humans_said, came_back, baseline, claims, rules, language } = context;
  const told: readonly (readonly [string, readonly string[]])[] = [
    ['Changed in the specification', spec_changes],
    ['Humans said', humans_said],
    ['Why the work came back', came_back],
    // What follows a colon is more than a card has room for.
    ['Judged by', rules.map((rule) => (rule.split('\n')[0] ?? '').replace(/(?<=\.) [^.]*:$/, ''))],
    ['Failed before anybody worked', baseline],
    ['Its agent claims, proven by nothing', claims === undefined ? [] : [claims]],
    ['Agents are told to write in', language === undefined ? [] : [language]],
  ];
  const spec = sanitise(specification)
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  const left = spec.length - SPEC_LINES;
  const lines = [
    ...spec.slice(0, SPEC_LINES).flatMap((line) => fold(line, width - 4).map((part) => `  ${QUOTED}${part}`)),
    ...(left > 0 ? [`    and ${left} more lines`] : []),
  ];
  const rest = told.flatMap(([title, texts]) =>
    texts.flatMap((text) => wrap(`${title}: ${oneLine(text, 1000)}`, width - 2).map((line) => `  ${line}`)),
  );
  if (lines.length + rest.length === 0) return [];
  return [
    paint('strong', 'What is known'),
    ...(lines.length === 0 ? [] : ['  The specification as it stands:', ...lines]),
    ...rest,
  ];
}
