import { isScratch } from '../../domain/plan/judging-phase.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import { covers } from './covers.ts';
import type { PlanCheck } from './plan-check.ts';

/** Only a repository has a result branch, and what a phase is there to make is rarely meant to stay off it. */
export function checkKeepOut({ header, phases, mode, findings }: PlanCheck): void {
  const { keep_out: patterns } = typeof header.workspace === 'object' ? header.workspace : {};
  if (patterns === undefined) return;
  if (mode !== 'repo') {
    const message = 'keep_out belongs to mode: repo; elsewhere there is no result branch';
    findings.error(['workspace', 'keep_out'], {
      check: 'no-effect',
      message,
      hint: 'leave it out, or write mode: repo',
    });
    return;
  }
  const makers = phases.map(({ phase }) => phase).filter((phase) => !isScratch(phase));
  for (const [index, pattern] of patterns.entries()) {
    if (unsafePath(pattern) !== undefined) continue;
    const made = makers.flatMap(({ id, output }) => output.files.map((file) => ({ id, file })));
    const held = made.find(({ file }) => covers(pattern, file) !== 'no');
    if (held === undefined) continue;
    findings.warning(['workspace', 'keep_out', index], {
      check: 'keeps-output-out',
      message: `"${oneLine(pattern, 80)}" keeps ${oneLine(held.file, 80)} of ${held.id} off the branch`,
      hint: 'narrow the pattern if that file is part of the change',
    });
  }
}
