import type { RunBase } from '../../domain/facts/result-branch.ts';
import type { Tried } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { GateAnswer, GateContext } from '../../gates/gate/gate-context.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import { oneLine } from '../../text/sanitise.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import { commandKey } from '../step/command-key.ts';
import type { Watchers } from '../step/engine-ports.ts';
import { gateTexts } from '../step/worked.ts';
import { failingBefore } from './failing-before.ts';

type Trial = {
  readonly world: Pick<World, 'project' | 'env' | 'shippedConfig' | 'processes'>;
  readonly workspace: Workspace;
  readonly plan: Plan;
  readonly base: RunBase;
  readonly marker: string;
  readonly gates: ReadonlyMap<string, GateDefinition>;
  readonly signal: AbortSignal;
  readonly walls: GateContext['walls'];
  readonly watchers: Watchers;
  /** A task has no file of a plan to mend, but options; did its user name the tests? */
  readonly task: false | { readonly namedTests: boolean };
  /** What is known already. */
  readonly tried: readonly Tried[];
};

/** Runs every gate's command once on the untouched tree, so that a broken one costs nothing; throws HelixError `config` for it. */
export async function tryGates(trial: Trial): Promise<Tried[]> {
  const known = new Map(trial.tried.map((tried) => [tried.command, tried]));
  const results: Tried[] = [];
  const tree = await trial.workspace.tree(trial.base.tree);
  for (const phase of trial.plan.phases) {
    for (const gate of phase.gates) {
      const command = commandKey(gate, trial.gates);
      if (command === undefined || known.has(command) || isMadeLater(gate.settings.command, trial.plan, tree)) continue;
      trial.watchers.onTrial?.(phase.id, gate.type);
      const tried = await tryGate(trial, { phase, gate, command });
      known.set(command, tried);
      results.push(tried);
      const failing = failingBefore(tried, gatesWith(command, trial), trial.task !== false);
      if (failing !== undefined) trial.watchers.onNotice?.(failing);
    }
  }
  return results;
}

function gatesWith(command: string, { plan, gates }: Trial): readonly Gate[] {
  return plan.phases.flatMap((phase) => phase.gates).filter((gate) => commandKey(gate, gates) === command);
}

type One = { readonly phase: Phase; readonly gate: Phase['gates'][number]; readonly command: string };

async function tryGate(trial: Trial, { phase, gate, command }: One): Promise<Tried> {
  const { workspace, base, gates } = trial;
  const checkout = await workspace.checkout(phase, base.tree, [], trial.signal);
  try {
    const context = await contextOf(trial, phase, checkout.dir);
    const answer = await gates.get(gate.type)?.judge(untouched(gate), context);
    if (answer?.kind === 'judged') {
      requireChance(trial, gate, answer);
      return { command, outcome: answer.outcome, ...present({ tests: answer.tests }) };
    }
    const why = withoutDirectory(answer?.message ?? 'it is not built', checkout.dir);
    throw new HelixError('config', `the gate ${gate.type} of ${phase.id} cannot work: ${why}`, {
      hint:
        trial.task === false
          ? 'Mend its command, or what workspace.setup installs, in phases.yaml; no agent has been started.'
          : `${gate.type === 'tests_pass' ? OTHER_TESTS : 'Mend the command, or leave it out.'} No agent has been started.`,
    });
  } finally {
    await checkout.dispose();
  }
}

const OTHER_TESTS =
  'Mend them first, name others (--tests "CMD"), or leave tests out (--tests none). Set-up is detected; to write your own: helix init.';
const LAST_LINES = 8;

/** Tests that already fail, nobody can say which, let no change pass: that is said before anybody is paid. */
function requireChance(
  { task }: Trial,
  { type, settings }: Gate,
  { outcome, tests, findings }: Extract<GateAnswer, { kind: 'judged' }>,
): void {
  if (task === false || task.namedTests || type !== 'tests_pass') return;
  if (outcome === 'pass' || tests !== undefined || settings.command === undefined) return;
  const output = findings.flatMap(({ message, output: said = message }) => said.trim().split('\n')).slice(-LAST_LINES);
  const last = output.map((line) => `\n    ${oneLine(line, 200)}`).join('');
  const command = oneLine(commandWords(settings.command), 200);
  throw new HelixError(
    'config',
    `${command} fails before anybody worked, and its output does not say which tests: no change could be seen to pass${last}`,
    { hint: `${OTHER_TESTS} To have just that mended: --tests ${JSON.stringify(command)}. No agent has been started.` },
  );
}

function commandWords(command: unknown): string {
  return Array.isArray(command) ? command.join(' ') : String(command);
}

/** What a gate expects of the work is not expected of the tree nobody has worked on. */
function untouched({ settings }: Gate): Gate['settings'] {
  const { expect: _, ...rest } = settings;
  return rest;
}

async function contextOf(
  { world, workspace, plan, base, marker, signal, walls }: Trial,
  phase: Phase,
  dir: string,
): Promise<GateContext> {
  const tree = await workspace.tree(base.tree);
  return {
    ...{ phase, attempt: 0, tree, base: tree, signal },
    project: world.project.dir,
    input: async () => undefined,
    ...gateTexts(world.project, plan.workspace, tree),
    shippedConfig: (name) => world.shippedConfig(name),
    programsIn: 'copy',
    env: world.env,
    marker: `${marker}:trial`,
    processes: await world.processes(),
    walls,
    directory: async () => dir,
  };
}

/** A command may be given a file that a phase is still to write. */
function isMadeLater(
  command: unknown,
  plan: Plan,
  tree: { readonly files: readonly { readonly path: string }[] },
): boolean {
  const words = Array.isArray(command) ? command.map(String) : String(command ?? '').split(/\s+/);
  const declared = new Set(plan.phases.flatMap(({ output }) => output.files));
  const there = new Set(tree.files.map(({ path }) => path));
  return words.map((word) => word.replace(/^\.\//, '')).some((word) => declared.has(word) && !there.has(word));
}
