import type { BriefDocument } from '../../domain/documents/documents.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { creatorBriefNow, READ_ONLY_COPY, stateOfNewRun } from '../../engine/brief-now.ts';
import { judgeBriefsNow } from '../../engine/judge-brief-now.ts';
import { caseBrief, gatherCase } from '../../engine/ladder/consultant-case.ts';
import { isMeetingRole, MEETING_ROLES, meetingBriefsNow } from '../../engine/meeting-briefs-now.ts';
import { scopeOf } from '../../engine/run.ts';
import { prepareRun } from '../../engine/start/prepare-run.ts';
import { conventionsOf } from '../../engine/step/conventions.ts';
import { GATES } from '../../gates/registry.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import { renderJson } from '../../report/words/json.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { phaseOf } from '../call/find-phase.ts';
import { hasBeginning, pickRun, readRun } from '../call/find-run.ts';
import { load, refuseErrors } from '../call/load.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { withVisit } from '../call/with-visit.ts';

const ROLES = ['creator', 'reviewer', 'verifier', 'consultant', ...MEETING_ROLES] as const;
type Role = (typeof ROLES)[number];

/** `helix brief` */
export const brief: Command = {
  usage: 'brief <phase> [--role creator|reviewer|verifier|consultant|expert|questions|criteria] [--run R] [--json]',
  about: `What would be sent to an agent or judge of a phase now, and where every part of it comes from. Nothing is started and
nothing is spent. It is told as the run stands that is named, else the newest one that has not ended; without such a run, as
one that would begin now, or where no plan lies here, as the newest helix do stands. The brief goes to stdout, the sources to stderr.`,
  positionals: { min: 1, max: 1 },
  options: {
    role: {
      type: 'string',
      value: 'ROLE',
      help: 'creator (default), reviewer, verifier, consultant; of a meeting: expert, questions or criteria',
    },
    run: {
      type: 'string',
      value: 'R',
      help: 'the run (default: the newest one that has not ended, else a new one, else the newest task)',
    },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix brief 02-write',
    'helix brief 02-write --role reviewer',
    'helix brief 02-write --role consultant --run 20261115-1a2b3c4d',
    'helix brief 01-consultant --role expert',
    'helix brief 02-write --json | jq .briefs[].parts',
  ],
  run: async (call) => {
    const role = roleOf(call.text('role') ?? 'creator');
    const world = openWorldOf(call);
    const known = await knownRun(world, call.text('run'));
    const document =
      known === undefined ? await inNewRun(call, world, role) : await inRun(call, world, { known, role });
    if (call.flag('json')) call.terminal.out(renderJson(document));
    else show(call, document);
    return EXIT.passed;
  },
};

function roleOf(name: string): Role {
  const role = ROLES.find((each) => each === name);
  if (role !== undefined) return role;
  throw new HelixError('usage', `there is no role ${JSON.stringify(name)}`, { hint: suggestion(name, ROLES) });
}

/** The run that is named, else the newest one if it has not ended, or is a task whose plan lies in no file. */
async function knownRun(world: World, named: string | undefined): Promise<RunState | undefined> {
  if (named === undefined && !world.hasJournal()) return undefined;
  if (named !== undefined) return (await readRun(world, await pickRun(world, named))).state;
  const [newest] = await (await world.journal()).list();
  const state = newest && (await readRun(world, newest.run)).state;
  const isTask = state?.source.path === TASK_SOURCE && !(await hasBeginning(world));
  return state?.ended === undefined || isTask ? state : undefined;
}

async function inNewRun(call: Call, world: World, role: Role): Promise<BriefDocument> {
  const loaded = await load(world);
  const plan = refuseErrors(loaded, call.terminal);
  phaseOf(plan, call.positionals[0] ?? '');
  if (role === 'consultant') {
    throw new HelixError(
      'usage',
      'a consultant is asked when attempts of a run have failed, and there is no such run',
      {
        hint: 'Name one: helix brief <phase> --role consultant --run <run>',
      },
    );
  }
  // Whether simulated agents count is said when a run starts.
  const settings = { ...loaded.settings, allow_simulated: true };
  const prepared = prepareRun({ ...loaded, settings }, {}, GATES);
  const scope = { run: 'new', settings: plan.workspace, simulated: false };
  return withVisit(world, { kind: 'brief', scope }, async ({ workspace }) => {
    const state = await stateOfNewRun(world, prepared, workspace);
    return documentOf(call, world, { state, workspace, role });
  });
}

type InRun = { readonly known: RunState; readonly role: Role };

async function inRun(call: Call, world: World, { known, role }: InRun): Promise<BriefDocument> {
  return withVisit(world, { kind: 'brief', scope: scopeOf(known) }, async ({ workspace }) => ({
    ...(await documentOf(call, world, { state: known, workspace, role })),
    run: known.run,
  }));
}

type Case = { readonly state: RunState; readonly workspace: Workspace; readonly role: Role };

async function documentOf(call: Call, world: World, { state, workspace, role }: Case): Promise<BriefDocument> {
  const phase = phaseOf(state.plan, call.positionals[0] ?? '');
  const secrets = world.secrets(Object.values(state.agents));
  const conventions = conventionsOf({ ...world, state, workspace });
  const template = (name: string) => world.template(name);
  const ports = { ...world, template, workspace, secrets, conventions, gates: GATES };
  const about = { schema: 'helix.brief/1', phase: phase.id, role } as const;
  if (role === 'creator' && phase.type === 'approval') {
    throw new HelixError('usage', `${phase.id} is an approval: a judge is asked, and no creator`, {
      hint: `helix brief ${phase.id} --role reviewer`,
    });
  }
  if (role === 'creator' || (role === 'reviewer' && isReview(phase))) {
    const { brief: text, parts, missing } = await creatorBriefNow(phase, { ports, state });
    return { ...about, briefs: [{ brief: text, parts: [...parts] }], missing: [...missing] };
  }
  if (role === 'consultant') {
    const step = { do: 'consult', phase, attempt: 1, purpose: 'decide', because: 'its gate keeps failing' } as const;
    const kept = { journal: await world.journal(), files: await world.files(state.run) };
    const modelId = async (name: string) => (await world.models()).find(name).id;
    const gathered = await gatherCase(step, { ports: { ...ports, ...kept, modelId }, state });
    const told = caseBrief(step, gathered, { state, dir: READ_ONLY_COPY });
    const parts = [{ part: 'the whole case', from: `the journal and the logs of run ${state.run}` }];
    return { ...about, briefs: [{ ...told, brief: secrets.redact(told.brief), parts }], missing: [] };
  }
  if (isMeetingRole(role)) {
    const briefs = await meetingBriefsNow(phase, role, { ports, state });
    return { ...about, briefs: briefs.map(({ parts, ...told }) => ({ ...told, parts: [...parts] })), missing: [] };
  }
  const briefs = await judgeBriefsNow(phase, role, { ports, state });
  return { ...about, briefs: briefs.map(({ parts, ...told }) => ({ ...told, parts: [...parts] })), missing: [] };
}

function show(call: Call, { phase, role, run, briefs, missing }: BriefDocument): void {
  const { terminal } = call;
  const where = run === undefined ? 'a run that would begin now' : `run ${run}`;
  terminal.err(`${terminal.paint('strong', `what the ${role} of ${phase} would be told in ${where}`)}\n`);
  for (const path of missing) terminal.err(`${terminal.paint('warn', `not there yet: ${sanitise(path)}`)}\n`);
  for (const { brief: text, instructions, parts } of briefs) {
    const width = Math.max(...parts.map(({ part }) => part.length));
    for (const { part, from } of parts) terminal.err(`  ${sanitise(part).padEnd(width)}  ${sanitise(from)}\n`);
    terminal.err('\n');
    terminal.out([instructions, text].filter((each) => each !== undefined).join('\n\n'));
  }
}
