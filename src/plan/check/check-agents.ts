import { DRIVERS } from '../../domain/plan/driver.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import { didYouMean, suggestion } from '../../text/did-you-mean.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import type { CheckedPhase } from './plan-check.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/** Drivers that need no settings can be named as if they were agents. */
const READY: readonly string[] = DRIVERS.filter((driver) => driver !== 'command' && driver !== 'acp');

/** All agents a run can use: those of helix.yaml, those of the plan over them, and drivers somebody names directly. */
export function mergeAgents(layers: readonly Agents[], named: ReadonlySet<string>): Record<string, AgentSettings> {
  const drivers = DRIVERS.filter((driver) => READY.includes(driver) && named.has(driver));
  const direct = Object.fromEntries(drivers.map((driver) => [driver, { driver }]));
  return Object.assign({ default: { driver: 'claude-code' } }, direct, ...layers);
}

/** Checks the agents one file defines. */
export function checkAgents(agents: Agents, findings: FileFindings): void {
  for (const [name, { driver, command, script }] of Object.entries(agents)) {
    if (!READY.includes(driver) && command === undefined) {
      const message = `agent "${oneLine(name, 60)}" has no command`;
      findings.error(['agents', name], {
        check: 'missing-key',
        message,
        hint: `the driver ${driver} needs one: command: [program]`,
      });
    }
    const reason = script === undefined ? undefined : unsafePath(script);
    if (reason === undefined) continue;
    const message = `the path "${oneLine(script ?? '', 80)}" ${reason}`;
    findings.error(['agents', name, 'script'], {
      check: 'unsafe-path',
      message,
      hint: 'paths are relative to the project',
    });
  }
}

/** Checks that every role is given to an agent there is. */
export function checkRoles({ roles = {} }: HelixFile, known: ReadonlySet<string>, findings: FileFindings): void {
  for (const [role, name] of Object.entries(roles)) {
    if (name !== undefined) reportUnknown(['roles', role], name, { known, findings });
  }
}

/** Checks that every phase names an agent there is. */
export function checkPhaseAgents(
  phases: readonly CheckedPhase[],
  known: ReadonlySet<string>,
  findings: FileFindings,
): void {
  for (const { draft, phase } of phases) {
    if (phase.agent !== undefined) reportUnknown([...draft.path, 'agent'], phase.agent, { known, findings });
  }
}

function reportUnknown(
  at: YamlPath,
  name: string,
  { known, findings }: { known: ReadonlySet<string>; findings: FileFindings },
): void {
  if (known.has(name) || READY.includes(name) || findings.full) return;
  const near = didYouMean(name, READY);
  const hint = near === undefined ? suggestion(name, [...known]) : `did you mean "${near}"?`;
  findings.error(at, { check: 'unknown-agent', message: `there is no agent "${oneLine(name, 60)}"`, hint });
}
