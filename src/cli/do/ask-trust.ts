import { openProject } from '../../adapters/disk/project-directory.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { harmsOf, type PreparedRun } from '../../engine/start/prepare-run.ts';
import { refuseSecrets } from '../../engine/start/refuse-secrets.ts';
import type { World } from '../../ports/world.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Call } from '../call/command.ts';
import { openKeyboard } from '../call/keyboard.ts';
import { requireTrust } from '../call/require-trust.ts';
import { programsOf } from './opening.ts';

/** Lines of what could do harm that the list of programs says as well. */
const PROGRAM = /^(set-up command|gate command of [\w-]+|shares among workspaces|agent [^:]+): /;

/**
 * Lets a task start only what its user trusts: what was trusted before, what they typed themselves, and what they agree to
 * now, with `--trust` or by a `y` on the terminal. What is trusted of other plans stays trusted.
 */
export async function askTrust(call: Call, world: World, prepared: PreparedRun): Promise<void> {
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const store = await world.trust();
  const { dir } = world.project;
  const before = (await store.trusted(dir)) ?? [];
  const untyped = await harmsOf({ ...prepared, plan: withoutTyped(prepared.plan, call.texts('check')) }, world.project);
  const fresh = untyped.filter((line) => !before.includes(line));
  if (fresh.length > 0 && !call.flag('trust') && !(await agrees(call, prepared, fresh))) {
    throw new HelixError(
      'not_trusted',
      `nothing was started; it wants what you have not trusted here yet:\n${fresh.map((line) => `  + ${line}`).join('\n')}`,
      {
        hint: 'If you know these are harmless, say so once: --trust',
      },
    );
  }
  // Whoever resumes sees the project without the words of this task.
  const lines = [...(await harmsOf(prepared, world.project)), ...(await harmsOf(prepared, openProject(dir)))];
  await store.trust(dir, [...new Set([...before, ...lines])].sort());
  await requireTrust(world, prepared, false);
}

/** What the user has just typed needs no question. */
function withoutTyped(plan: PreparedRun['plan'], typed: readonly string[]): PreparedRun['plan'] {
  const isTyped = ({ type, settings }: Gate) => type === 'custom' && typed.includes(String(settings.command));
  return {
    ...plan,
    phases: plan.phases.map((phase) => ({ ...phase, gates: phase.gates.filter((gate) => !isTyped(gate)) })),
  };
}

async function agrees(call: Call, prepared: PreparedRun, fresh: readonly string[]): Promise<boolean> {
  const { terminal } = call;
  if (!terminal.attended || call.flag('json')) return false;
  for (const line of fresh.filter((each) => !PROGRAM.test(each))) terminal.err(`also       ${sanitise(line)}\n`);
  const keyboard = await openKeyboard(new AbortController().signal);
  try {
    const programs = sanitise(programsOf(prepared).join(', '));
    terminal.err(`Start programs: ${programs}.  Trust them in this repository? [y/N] `);
    return /^(y|yes)$/i.test((await keyboard.line())?.trim() ?? '');
  } finally {
    keyboard.close();
  }
}
