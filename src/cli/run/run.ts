import { resolve } from 'node:path';
import { hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { CAPABILITIES, type Driver } from '../../domain/plan/driver.ts';
import type { Model } from '../../domain/plan/models.ts';
import type { Budget } from '../../domain/plan/plan.ts';
import { DEFAULT_BUDGET } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { startRun } from '../../engine/run.ts';
import { type PreparedRun, prepareRun, type RunOptions } from '../../engine/start/prepare-run.ts';
import { requireTask } from '../../engine/start/require-task.ts';
import { GATES } from '../../gates/registry.ts';
import { misspelt } from '../../plan/check/check-models.ts';
import type { World } from '../../ports/world.ts';
import { wrap } from '../../report/words/columns.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { pickRun } from '../call/find-run.ts';
import { load, refuseErrors } from '../call/load.ts';
import { openWorldOf } from '../call/open-project.ts';
import { requireTrust } from '../call/require-trust.ts';
import { attendAll } from '../human/attend-all.ts';
import { accompany, WAIT_OPTION, YES_OPTION } from './accompany.ts';
import { DETACH_OPTION, detach } from './detach.ts';

/** `helix run` */
export const run: Command = {
  usage: 'run [dir] [options]',
  about: `Starts a new run of the plan and carries it as far as it goes: every phase is worked on by an agent, judged by its
gates, tried again with their findings, and shown to a human when it stays stuck. On a terminal it stays, asks its questions
there and waits for quotas; else it exits with 3 or 5. It can be killed at any moment and taken up again with: helix resume`,
  positionals: { min: 0, max: 1 },
  options: {
    agent: {
      type: 'string',
      value: 'A',
      help: 'who does the work: an agent of helix.yaml, or scripted, replay, claude-code, codex',
    },
    model: { type: 'string', value: 'M', help: 'the model all agents use' },
    budget: { type: 'string', value: 'USD', help: 'what the run may spend: 5, or 5,60min,20attempts' },
    phase: { type: 'string', value: 'ID', help: 'run this phase alone' },
    from: {
      type: 'string',
      value: 'RUN:PHASE',
      help: 'begin with this phase, on what that run had accepted before it',
    },
    'include-dirty': { type: 'boolean', help: 'take along what you have not committed (default: start from HEAD)' },
    script: {
      type: 'string',
      value: 'PATH',
      help: 'what scripted says and does (default: scripted.yaml), or the cassettes replay plays (default: cassette)',
    },
    record: { type: 'boolean', help: 'keep a cassette of every attempt, for --agent replay' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    yes: YES_OPTION,
    wait: WAIT_OPTION,
    detach: DETACH_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix run',
    'helix run demo --agent scripted',
    'helix run --phase 02-developer --budget 2',
    'helix run --from 20261115-1a2b3c4d:03-reviewer',
    'helix run --detach',
    'helix run --json > run.json',
  ],
  run: async (call) => {
    const world = openWorldOf(call, call.positionals[0]);
    const loaded = await load(world);
    if (!call.flag('detach') || hasError(loaded.findings)) refuseErrors(loaded, call.terminal);
    const prepared = prepareRun(loaded, await runOptions(call, world), GATES);
    const nothingAsked = await requireTask(world.project, prepared);
    await requireTrust(world, prepared, call.flag('trust'));
    if (nothingAsked !== undefined) call.terminal.err(`${call.terminal.paint('warn', nothingAsked)}\n`);
    if (call.flag('detach')) return detach(call, world, { command: run });
    await attendAll(world, call.terminal);
    if (!call.flag('json')) call.terminal.err(await announcement(call, world, prepared));
    return accompany(call, world, (company) => startRun(world, prepared, company));
  },
};

/** Who works and what it may cost, before anything does. */
async function announcement(call: Call, world: World, prepared: PreparedRun): Promise<string> {
  const { agents, creator, plan, budget, options } = prepared;
  const { terminal } = call;
  const named = options.model ?? agents[creator]?.model;
  const models = named === undefined ? undefined : await world.models();
  const driver = agents[creator]?.driver;
  const model = named === undefined ? undefined : models?.find(named);
  const who = [driver, model?.id].filter((word) => word !== undefined);
  const whose = options.budget === undefined && plan.budget === DEFAULT_BUDGET ? ' (default)' : '';
  const line = `agent: ${creator} (${who.join(', ')}); budget: ${renderBudget(budget)}${whose}`;
  const meant = options.model && models && misspelt(options.model, models);
  const warnings = [
    ...(meant ? [`no model is known as ${JSON.stringify(options.model)}; did you mean ${meant}?`] : []),
    ...(driver && model && budget.usd !== undefined ? unwatched(driver, model) : []),
  ];
  const shown = terminal.interactive ? wrap(line, Math.max(10, terminal.columns() - 1)).join('\n') : line;
  return [...warnings.map((warning) => terminal.paint('warn', warning)), terminal.paint('dim', shown), ''].join('\n');
}

/** Without a price HELIX cannot tell what an agent spends while it works. */
function unwatched(driver: Driver, { id, price }: Model): string[] {
  const { cost } = CAPABILITIES[driver];
  if (price !== undefined || (cost !== 'reported' && cost !== 'tokens')) return [];
  const who = cost === 'reported' ? 'only the agent itself keeps to the limit' : 'nobody keeps it to the limit';
  return [`no price is known for ${oneLine(id, 80)}, so ${who} in dollars`];
}

async function runOptions(call: Call, world: World): Promise<RunOptions> {
  const agent = call.text('agent');
  const model = call.text('model');
  const phase = call.text('phase');
  const budget = budgetOption(call);
  const script = call.text('script');
  const from = await fromOption(call, world);
  return {
    ...present({ agent, model, phase, budget, from }),
    ...(call.flag('include-dirty') && { includeDirty: true }),
    ...(script !== undefined && { script: resolve(script) }),
    ...(call.flag('record') && { record: true }),
    ...(call.flag('trust') && { trust: true }),
  };
}

async function fromOption(call: Call, world: World): Promise<RunOptions['from']> {
  const text = call.text('from');
  if (text === undefined) return undefined;
  const [, run, phase] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
  if (run === undefined || phase === undefined) {
    throw new HelixError('usage', `--from takes a run and a phase, not ${JSON.stringify(text)}`, {
      hint: 'For example: --from 20261115-1a2b3c4d:03-reviewer',
    });
  }
  return { run: await pickRun(world, run), phase };
}

const LIMIT = /^(\d+(?:\.\d+)?)(min|attempts?)?$/;

/** The value of `--budget`, checked: US dollars, and limits such as `90min` or `12attempts`, separated by commas. */
export function budgetOption(call: Call): Budget | undefined {
  const text = call.text('budget');
  if (text === undefined) return undefined;
  const budget: { usd?: number; minutes?: number; attempts?: number } = {};
  for (const part of text.split(',')) {
    const [, amount, unit] = LIMIT.exec(part.trim()) ?? [];
    const whole = unit?.startsWith('attempt') !== true || Number.isInteger(Number(amount));
    if (amount === undefined || !whole || (unit !== undefined && Number(amount) === 0)) {
      throw new HelixError(
        'usage',
        `--budget takes amounts such as 2.50, 90min or 12attempts, not ${JSON.stringify(part)}`,
        {
          hint: 'For example: --budget 2.50 or --budget 5,60min',
        },
      );
    }
    budget[unit === undefined ? 'usd' : unit === 'min' ? 'minutes' : 'attempts'] = Number(amount);
  }
  return budget;
}

function renderBudget({ usd, minutes, attempts }: Budget): string {
  const limits = [
    ...(usd === undefined ? [] : [`${usd} USD`]),
    ...(minutes === undefined ? [] : [`${minutes} agent minutes`]),
    ...(attempts === undefined ? [] : [`${attempts} attempts`]),
  ];
  return limits.length === 0 ? 'unlimited' : limits.join(', ');
}
