import { HelixError } from '../../domain/helix-error.ts';
import type { ApprovalSettings } from '../../domain/judge/approval.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import { agentHarms, isProtection, lostProtections, sandboxHarms, simulatedHarm } from '../../domain/plan/trust.ts';
import { mergeAgents } from '../../plan/check/check-agents.ts';
import type { World } from '../../ports/world.ts';
import { suggestion } from '../../text/did-you-mean.ts';

/** Who is to judge, and with what. */
export type ChosenJudge = {
  readonly name: string;
  readonly agent: AgentSettings;
  readonly simulated: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
};

/** What the caller says about who judges. */
export type JudgeChoice = {
  /** The agent that is named; else the settings name one. */
  readonly agent?: string;
  /** Whether what the project's settings want is trusted from now on or this once; else what is not trusted is refused. */
  readonly trust?: 'from now on' | 'once';
  /** How such trust is given. */
  readonly trustHint: string;
};

/** Chooses the judge and refuses, before anything starts, one that cannot judge or does not count. */
export async function chooseJudge(
  choice: JudgeChoice,
  world: World,
  { settings, approval }: { readonly settings: HelixFile; readonly approval: ApprovalSettings },
): Promise<ChosenJudge> {
  const name = choice.agent ?? approval.agent ?? settings.roles?.reviewer ?? 'default';
  const agents = mergeAgents([settings.agents ?? {}], new Set([name]));
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent === undefined) {
    throw new HelixError('usage', `there is no agent called ${name}`, {
      hint: `${suggestion(name, [...Object.keys(agents), 'scripted', 'claude-code', 'codex'])} Agents are named in helix.yaml.`,
    });
  }
  if (!CAPABILITIES[agent.driver].roles.includes('reviewer')) {
    throw new HelixError(
      'config',
      `the agent ${name} (${agent.driver}) cannot judge: nobody could vouch for what it sees`,
      {
        hint: 'Choose one of the driver claude-code or codex, with --agent or as roles.reviewer in helix.yaml.',
      },
    );
  }
  const simulated = CAPABILITIES[agent.driver].cost === 'simulated';
  if (simulated && choice.agent === undefined && settings.allow_simulated !== true) {
    throw new HelixError('config', 'a simulated agent would judge this', {
      hint: 'Say so with --agent scripted, or write allow_simulated: true in helix.yaml.',
    });
  }
  const plays = simulated && choice.agent === undefined ? [simulatedHarm([name])] : [];
  await requireTrusted(choice, world, [...plays, ...harmsOf(name, { agent, settings })]);
  return { name, agent, simulated, ...(await modelsOf(agent, approval, world)) };
}

async function modelsOf(agent: AgentSettings, approval: ApprovalSettings, world: World) {
  const wanted = approval.model ?? agent.model;
  const { fallbackModel: fallback } = approval;
  if (wanted === undefined && fallback === undefined) return {};
  const models = await world.models();
  return {
    ...(wanted !== undefined && { model: models.find(wanted).id }),
    ...(fallback !== undefined && { fallbackModel: models.find(fallback).id }),
  };
}

/** What the repository's own settings could do: those of the user and of HELIX need no trust. */
function harmsOf(name: string, { agent, settings }: { agent: AgentSettings; settings: HelixFile }): string[] {
  const plain = agent.command === undefined && (agent.env ?? []).length + (agent.mcp ?? []).length === 0;
  return [...(plain ? [] : agentHarms(name, agent)), ...sandboxHarms(settings)];
}

async function requireTrusted(choice: JudgeChoice, world: World, lines: readonly string[]): Promise<void> {
  if (choice.trust === 'once') return;
  const trust = await world.trust();
  const { dir } = world.project;
  const known = (await trust.trusted(dir)) ?? [];
  const fresh = lines.filter((line) => !known.includes(line) && !isProtection(line));
  const lost = lostProtections(known, lines).filter((line) => line.startsWith('sandbox: '));
  if (fresh.length + lost.length === 0) return;
  if (choice.trust === 'from now on')
    return trust.trust(dir, [...known.filter((line) => !lost.includes(line)), ...fresh].toSorted());
  const told = [...fresh.map((line) => `  + ${line}`), ...lost.map((line) => `  - ${line}`)];
  throw new HelixError('not_trusted', `you have not trusted what helix.yaml wants:\n${told.join('\n')}`, {
    hint: choice.trustHint,
  });
}
