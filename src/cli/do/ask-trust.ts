import { openProject } from '../../adapters/disk/project-directory.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { isProtection, lostBeside } from '../../domain/plan/trust.ts';
import { isGuard } from '../../domain/plan/trust-guards.ts';
import { scriptHarms } from '../../engine/start/detected-commands.ts';
import { harmsOf, type PreparedRun } from '../../engine/start/prepare-run.ts';
import { refuseSecrets } from '../../engine/start/refuse-secrets.ts';
import type { World } from '../../ports/world.ts';
import { readableHarms } from '../../report/words/harm-lines.ts';
import { sanitise } from '../../text/sanitise.ts';
import { agrees } from '../call/agrees.ts';
import type { Call } from '../call/command.ts';
import { requireTrust } from '../call/require-trust.ts';
import { lookAt } from '../project/look-at.ts';
import { programsOf } from './opening.ts';

/**
 * Lets a task start only what its user trusts: what was trusted before, what they typed themselves, and what they agree to
 * now, with `--trust` or by a `y` on the terminal. What is trusted of other plans stays trusted.
 */
export async function askTrust(call: Call, world: World, prepared: PreparedRun): Promise<void> {
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const store = await world.trust();
  const { dir } = world.project;
  const before = (await store.trusted(dir)) ?? [];
  const untyped = await harmsOf(
    { ...prepared, plan: withoutTyped(prepared.plan, [...call.texts('check'), ...call.texts('tests')]) },
    world.project,
  );
  const lost = lostBeside(before, untyped);
  const scripts = await scriptHarms(prepared.plan.phases, await lookAt(world));
  // Before the question, so that nothing is trusted that was changed while somebody read. Whoever resumes sees the project
  // without the words of this task.
  const lines = [...(await harmsOf(prepared, world.project)), ...(await harmsOf(prepared, openProject(dir)))];
  const fresh = readableHarms([
    ...[...untyped, ...scripts]
      .filter((line) => !before.includes(line) && !isProtection(line))
      .map((line) => `+ ${line}`),
    ...lost.map((line) => `- ${line}`),
    // Found are only the scripts that the command runs.
  ]).map((line) => (call.text('tests') === undefined ? line : line.replace(/^[+] detected (?=gate )/, '+ ')));
  if (fresh.length > 0 && !call.flag('trust') && !(await agrees(call, question(prepared, fresh)))) {
    throw new HelixError(
      'not_trusted',
      `nothing was started; it wants what you have not trusted here yet:\n${fresh.map((line) => `  ${line}`).join('\n')}`,
      {
        hint: 'If you know these are harmless, say so once: --trust',
      },
    );
  }
  const kept = before.filter((line) => !lost.includes(line));
  // How a task has its work looked at is nothing that the project's own plan could lose.
  const more = lines.filter((line) => !isGuard(line));
  await store.trust(dir, [...new Set([...kept, ...more, ...scripts])].sort());
  await requireTrust(world, prepared, false, { lostOf: lostBeside });
}

/** What the user has just typed needs no question. */
function withoutTyped(plan: PreparedRun['plan'], typed: readonly string[]): PreparedRun['plan'] {
  const isTyped = ({ settings }: Gate) => typeof settings.command === 'string' && typed.includes(settings.command);
  return {
    ...plan,
    phases: plan.phases.map((phase) => ({ ...phase, gates: phase.gates.filter((gate) => !isTyped(gate)) })),
  };
}

function question(prepared: PreparedRun, lines: readonly string[]) {
  const about = `Start programs: ${sanitise(programsOf(prepared).join(', '))}.`;
  return { about, lines, question: 'Trust them in this repository?' };
}
