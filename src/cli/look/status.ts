import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import { type RunState, runStatus } from '../../domain/facts/run-state.ts';
import { present } from '../../domain/present.ts';
import type { World } from '../../ports/world.ts';
import { renderTrace } from '../../report/proof/trace-text.ts';
import { runDocument } from '../../report/run/run-document.ts';
import { renderStatus } from '../../report/run/status-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf, projectOption } from '../call/open-project.ts';
import { traceNow } from '../call/trace-now.ts';
import { attendAll } from '../human/attend-all.ts';

const REFRESH_MS = 250;

/** `helix status` */
export const status: Command = {
  usage: 'status [run] [--findings] [--trace] [--watch] [--json]',
  about: `Where a run stands and what it waits for; without a run, the newest one of this project. Of every phase that failed or
waits it shows the first failing check with its place and the last lines it said.`,
  positionals: { min: 0, max: 1 },
  options: {
    findings: { type: 'boolean', help: 'show all findings of the last judgements, in full' },
    trace: { type: 'boolean', help: 'show for each acceptance criterion what proved it, or that nothing did' },
    watch: { type: 'boolean', help: 'keep showing it until the run ends or waits' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix status',
    'helix status --findings',
    'helix status --trace',
    'helix status --watch',
    'helix status --json',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    await attendAll(world, call.terminal);
    const id = await pickRun(world, call.positionals[0]);
    if (call.flag('watch')) await watch(call, world, id);
    else {
      const { state, owned } = await readRun(world, id);
      const criteria = call.flag('trace') ? await traceNow(state, world) : undefined;
      print(call, state, {
        owned,
        now: world.clock.now(),
        at: projectOption(world.project.dir),
        ...present({ criteria }),
      });
    }
    return EXIT.passed;
  },
};

type At = { owned: boolean; now: string; at: string; criteria?: readonly CriterionTrace[] };

function print(call: Call, state: RunState, { criteria, ...at }: At): void {
  const { terminal } = call;
  if (call.flag('json')) {
    const traced = criteria === undefined ? {} : { criteria: [...criteria] };
    terminal.out(renderJson({ ...runDocument(state, at.owned), ...traced }));
  } else {
    const view = { ...at, findings: call.flag('findings'), width: terminal.columns(), paint: terminal.paintOut };
    terminal.out(renderStatus(state, view));
    if (criteria !== undefined) terminal.out(`\n${renderTrace(criteria, view)}`);
    const status = runStatus(state, at.owned);
    if (status === 'interrupted' || status === 'parked')
      terminal.out(`Go on with: helix resume ${state.run}${at.at}\n`);
  }
}

async function watch(call: Call, world: World, id: string): Promise<void> {
  const redraw = process.stdout.isTTY === true && !call.flag('json');
  let seen = -1;
  for (;;) {
    const { state, owned } = await readRun(world, id);
    if (redraw) call.terminal.out('\u001b[H\u001b[2J');
    if (redraw || state.seq !== seen || !owned)
      print(call, state, { owned, now: world.clock.now(), at: projectOption(world.project.dir) });
    seen = state.seq;
    if (!owned || call.terminal.lost() !== undefined) return;
    await world.clock.sleep(REFRESH_MS);
  }
}
