import { wantsMeeting } from '../../domain/ladder/meeting.ts';
import { CAPABILITIES, type Driver, type Role } from '../../domain/plan/driver.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import type { PlanCheck } from './plan-check.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/** Checks that the agents one file defines are told only what their drivers understand. */
export function checkSettings(agents: Agents, findings: FileFindings): void {
  for (const [name, { driver, model, mcp = [] }] of Object.entries(agents)) {
    if (model !== undefined && !CAPABILITIES[driver].model) reportModel(['agents', name, 'model'], driver, findings);
    if (mcp.length > 0 && !CAPABILITIES[driver].mcp) {
      findings.error(['agents', name, 'mcp'], {
        check: 'capability',
        message: `agents with the driver ${driver} take no MCP servers`,
        hint: `remove mcp, or use a driver that takes them: ${driversWith(({ mcp: takes }) => takes)}`,
      });
    }
    reportTwins(['agents', name, 'mcp'], mcp, findings);
  }
}

function reportTwins(at: YamlPath, servers: NonNullable<AgentSettings['mcp']>, findings: FileFindings): void {
  const names = servers.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    const message = `there are two MCP servers called "${oneLine(name, 60)}"`;
    findings.error([...at, index, 'name'], { check: 'duplicate-name', message, hint: 'give one of them another name' });
  }
}

/** Checks that roles are given to agents who can take them. */
export function checkRoleDrivers({ roles = {} }: HelixFile, agents: Agents, findings: FileFindings): void {
  for (const [role, name] of Object.entries(roles) as [Role, string | undefined][]) {
    const driver = name === undefined ? undefined : agents[name]?.driver;
    if (driver !== undefined && !CAPABILITIES[driver].roles.includes(role)) {
      findings.error(['roles', role], unfit(`the agent "${oneLine(name ?? '', 60)}"`, driver, role));
    }
  }
}

/** Checks that the agents of a plan can do what its phases need of them. */
export function checkPhaseNeeds({ phases, findings }: PlanCheck, { roles = {} }: HelixFile, agents: Agents): void {
  for (const { draft, phase } of phases) {
    const creator = agents[phase.agent ?? roles.creator ?? 'default']?.driver;
    if (phase.config.model !== undefined && creator !== undefined && !CAPABILITIES[creator].model) {
      reportModel([...draft.path, 'config', 'model'], creator, findings);
    }
    if (wantsMeeting(phase) && creator !== undefined && !CAPABILITIES[creator].roles.includes('consultant')) {
      findings.warning([...draft.path, 'config'], {
        check: 'capability',
        message: `the meeting of ${phase.id} is one attempt of its agent: no experts are heard and nothing is asked, because its driver is ${creator}`,
        hint: `name an agent with one of these drivers for it: ${driversWith(({ roles: able }) => able.includes('consultant'))}`,
      });
    }
    const verifier = agents[roles.verifier ?? 'default']?.driver;
    if (phase.verifyAgent && verifier !== undefined && !CAPABILITIES[verifier].roles.includes('verifier')) {
      findings.error([...draft.path, 'verify_agent'], unfit('the agent that would verify it', verifier, 'verifier'));
    }
  }
}

function unfit(subject: string, driver: Driver, role: Role) {
  return {
    check: 'capability',
    message: `${subject} cannot be a ${role}: its driver is ${driver}`,
    hint: `name an agent for roles.${role} in helix.yaml with one of these drivers: ${driversWith(({ roles }) => roles.includes(role))}`,
  };
}

function reportModel(at: YamlPath, driver: Driver, findings: FileFindings): void {
  findings.error(at, {
    check: 'capability',
    message: `agents with the driver ${driver} cannot be told which model to use`,
    hint: 'remove it, and choose the model in the settings of the agent itself',
  });
}

function driversWith(able: (capabilities: (typeof CAPABILITIES)[Driver]) => boolean): string {
  return Object.entries(CAPABILITIES)
    .filter(([, capabilities]) => able(capabilities))
    .map(([driver]) => driver)
    .join(', ');
}
