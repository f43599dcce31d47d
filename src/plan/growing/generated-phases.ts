import { isRecord } from '../../text/is-record.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { Growing } from './growing.ts';

/** The written phases of a phase that generates them, each completed from its template, as many as there may be. */
export function generatedPhases(
  value: unknown,
  { from, plan }: Pick<Growing, 'from' | 'plan'>,
  findings: FileFindings,
): unknown {
  if (!isRecord(value) || !Array.isArray(value.phases)) return value;
  const { minPhases = 0, maxPhases, phaseTemplate = plan.dynamicPhaseTemplate } = from.phaseConfig ?? {};
  const { length } = value.phases;
  const wrong = length < minPhases ? `at least ${minPhases}` : undefined;
  const over = maxPhases !== undefined && length > maxPhases ? `at most ${maxPhases}` : undefined;
  const wanted = wrong ?? over;
  if (wanted !== undefined) {
    findings.error(['phases'], {
      check: 'number-of-phases',
      message: `${length} phases are written, and ${from.id} is to write ${wanted}`,
      hint: over === undefined ? 'split them further' : 'put together what belongs together',
    });
  }
  return { ...value, phases: value.phases.map((entry) => completed(entry, phaseTemplate)) };
}

/** A template that is a name says how the agent is told; one that is a map holds fields the phase may leave out. */
function completed(entry: unknown, template: string | Readonly<Record<string, unknown>> | undefined): unknown {
  if (!isRecord(entry) || template === undefined) return entry;
  if (typeof template === 'string') {
    const { config } = entry;
    const has = entry.template !== undefined || (isRecord(config) && config.template !== undefined);
    return has ? withType(entry) : withType({ ...entry, template });
  }
  const config =
    isRecord(template.config) && isRecord(entry.config) ? { ...template.config, ...entry.config } : undefined;
  return withType({ ...template, ...entry, ...(config !== undefined && { config }) });
}

/** What a template leaves open is development, as it is where work is generated. */
function withType(entry: Record<string, unknown>): Record<string, unknown> {
  return entry.type === undefined ? { ...entry, type: 'development' } : entry;
}
