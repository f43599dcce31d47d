import type { Changes } from '../../domain/facts/consultation.ts';
import { oneLine } from '../../text/sanitise.ts';
import { count } from './count.ts';

/** What somebody changed for the next attempts, in a line. */
export function renderChanges({ changes = {}, target }: { changes?: Changes; target?: string }): string {
  const { model, agent, hints = [], skills = [], spec = {}, override = {} } = changes;
  const what = [
    ...(target === undefined ? [] : [`back to ${target}`]),
    ...(agent === undefined ? [] : [`agent ${oneLine(agent, 40)}`]),
    ...(model === undefined ? [] : [`model ${oneLine(model, 80)}`]),
    ...(hints.length === 0 ? [] : [count(hints.length, 'hint')]),
    ...(skills.length === 0 ? [] : [`skills ${skills.map((skill) => oneLine(skill, 40)).join(', ')}`]),
    ...(Object.keys(spec).length === 0 ? [] : ['additions to the specification']),
    ...(Object.keys(override).length === 0 ? [] : ['changes of the specification']),
  ];
  return what.join(', ') || 'try again';
}
