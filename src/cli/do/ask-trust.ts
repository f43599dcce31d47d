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
import { scriptHarms } from './script-harms.ts';

/** More than fills a large screen is not read before a key is pressed. */
const MOST_SHOWN = 4000;
/** How the end of a script that is too long for a line is written. */
const CUT = /… \(sha256 [0-9a-f]{64}\)/;

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
  const scripts = await scriptHarms(prepared.plan, world);
  // Before the question, so that nothing is trusted that was changed while somebody read. Whoever resumes sees the project
  // without the words of this task.
  const lines = [...(await harmsOf(prepared, world.project)), ...(await harmsOf(prepared, openProject(dir)))];
  const fresh = [...untyped, ...scripts].filter((line) => !before.includes(line));
  if (fresh.length > 0 && !call.flag('trust') && !(await agrees(call, prepared, fresh))) {
    throw new HelixError(
      'not_trusted',
      `nothing was started; it wants what you have not trusted here yet:\n${fresh.map((line) => `  + ${line}`).join('\n')}`,
      {
        hint: 'If you know these are harmless, say so once: --trust',
      },
    );
  }
  await store.trust(dir, [...new Set([...before, ...lines, ...scripts])].sort());
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
  if (!isShownInFull(fresh)) {
    terminal.err('A y is not enough here: what it wants is too long for a screen or has characters nobody sees.\n');
    return false;
  }
  const keyboard = await openKeyboard(new AbortController().signal);
  try {
    terminal.err(`Start programs: ${sanitise(programsOf(prepared).join(', '))}.\n`);
    for (const line of fresh) terminal.err(`  + ${line}\n`);
    terminal.err('Trust them in this repository? [y/N] ');
    return /^(y|yes)$/i.test((await keyboard.line())?.trim() ?? '');
  } finally {
    keyboard.close();
  }
}

/** Nobody can agree to what they do not see. */
function isShownInFull(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return text.length <= MOST_SHOWN && sanitise(text) === text && !CUT.test(text);
}
