import { type QuestionSource, readAsked } from '../../approval/make-question.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { judgeFor } from '../judge/approver.ts';
import { renderFeedback } from '../judge/send-back.ts';
import { agentsFor } from './choose-judges.ts';
import type { PreparedRun } from './prepare-run.ts';

/** Where definitions and settings of approvals are read. */
type DefinitionSource = Pick<QuestionSource, 'read' | 'list' | 'links' | 'target' | 'shipped'>;
type Judging = Pick<PreparedRun, 'agents' | 'judges' | 'creator' | 'settings' | 'escalation'>;

/** Makes sure, before anything starts, that every judge a plan asks for is defined, enabled and asked for checks there are; throws HelixError `config`. */
export async function checkJudges(phases: readonly Phase[], judging: Judging, source: DefinitionSource): Promise<void> {
  const [first] = await judgeTroubles(phases, judging, source);
  if (first !== undefined) throw first;
}

/** All that keeps the judges of a plan from being asked, phase by phase. */
export async function judgeTroubles(
  phases: readonly Phase[],
  judging: Judging,
  source: DefinitionSource,
): Promise<HelixError[]> {
  const trusted = agentsFor(phases, judging);
  const troubles: HelixError[] = [];
  for (const phase of phases) {
    const checks = phase.gates.flatMap(requestOf).map((request) => async () => {
      const { settings } = await readAsked(request, source);
      const role = request.type === 'verification' ? 'verifier' : 'reviewer';
      requireJudge(judgeFor(phase, { role, settings, judges: judging.judges }), role, { ...judging, trusted });
    });
    // What a template says of its own is known now; what a judge says never decides whether it can be filled.
    const template = async () => void (await renderFeedback(phase, { lastVerdicts: [], rework: 1 }));
    const hasTemplate = phase.onRejection?.feedback_template !== undefined;
    for (const check of [...checks, ...(hasTemplate ? [template] : [])]) {
      const trouble = await troubleIn(phase, check);
      if (trouble !== undefined) troubles.push(trouble);
    }
  }
  return troubles;
}

type Known = Pick<PreparedRun, 'agents' | 'judges' | 'settings'> & { readonly trusted: ReadonlySet<string> };

/** The judge that config/approvals.yaml names must be one that helix.yaml has and the user has looked at. */
function requireJudge(name: string, role: 'reviewer' | 'verifier', { agents, judges, settings, trusted }: Known): void {
  const agent = agents[name];
  if (agent === undefined) {
    throw new HelixError('config', `there is no agent called ${name}, which config/approvals.yaml names`, {
      hint: `Agents are named in helix.yaml; it has: ${Object.keys(agents).join(', ')}`,
    });
  }
  const { roles, cost } = CAPABILITIES[agent.driver];
  if (!roles.includes(role)) {
    throw new HelixError('config', `the agent ${name} (${agent.driver}) cannot be a ${role}`, {
      hint: 'Name one of the driver claude-code or codex in config/approvals.yaml.',
    });
  }
  const plain = agent.command === undefined && (agent.env ?? []).length + (agent.mcp ?? []).length === 0;
  if (!plain && !trusted.has(name)) {
    throw new HelixError(
      'config',
      `the agent ${name} starts a program of its own, and only its role makes that visible`,
      {
        hint: `Name it in helix.yaml: roles: { ${role}: ${name} }`,
      },
    );
  }
  if (cost === 'simulated' && judges.fixed !== true && settings.allow_simulated !== true) {
    throw new HelixError('config', `the judge ${name} is simulated`, {
      hint: 'Say so with --agent scripted, or write allow_simulated: true in helix.yaml.',
    });
  }
}

function requestOf({ type, settings }: Phase['gates'][number]): { type: string; checks?: readonly string[] }[] {
  if (type === 'verification') return [{ type }];
  if (type === 'adr_complete' && String(settings.semantic) === 'true') return [{ type: 'adr' }];
  if (type !== 'approval') return [];
  const { checks } = settings;
  return [{ type: String(settings.approval_type), ...(Array.isArray(checks) && { checks: checks.map(String) }) }];
}

async function troubleIn(phase: Phase, check: () => Promise<void>): Promise<HelixError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'config') throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return new HelixError('config', `phase ${phase.id}: ${error.message}`, { ...hint, cause: error });
  }
}
