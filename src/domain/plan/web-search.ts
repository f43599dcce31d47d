import type { Phase } from './plan.ts';

const NAMES: ReadonlySet<string> = new Set(['websearch', 'web', 'internet']);

/** Tells whether a tool that a plan names is a search of the web. */
export function isWebSearch(tool: string): boolean {
  return NAMES.has(tool.toLowerCase().replace(/[-_ ]/g, ''));
}

/** Tells whether a phase is to look things up on the web: research is, and a phase that names it among its tools. */
export function wantsWeb({ type, config: { tools } }: Pick<Phase, 'type' | 'config'>): boolean {
  if (tools !== undefined && tools.length === 0) return false;
  return type === 'research' || (tools ?? []).some(isWebSearch);
}
