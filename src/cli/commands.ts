import type { CommandGroup, CommandTable } from './call/command.ts';

/** Every command of `helix`; each is loaded only when it is called. */
export const COMMANDS: CommandTable = {
  do: {
    personal: true,
    summary: 'one sentence, one change: made on a branch, checked, judged',
    load: async () => (await import('./do/do.ts')).doTask,
  },
  init: {
    personal: true,
    summary: 'make a project here: phases.yaml and helix.yaml to own and edit',
    load: async () => (await import('./project/init.ts')).init,
  },
  new: {
    personal: true,
    summary: 'make a project in a directory of its own, from a project type',
    load: async () => (await import('./project/new.ts')).newProject,
  },
  plan: {
    summary: 'check the whole plan and print it; starts nothing',
    load: async () => (await import('./look/plan.ts')).plan,
  },
  run: { personal: true, summary: 'run the plan', load: async () => (await import('./run/run.ts')).run },
  resume: { personal: true, summary: 'go on with a run', load: async () => (await import('./run/resume.ts')).resume },
  cancel: {
    personal: true,
    summary: 'stop a run for good, keeping everything',
    load: async () => (await import('./run/cancel.ts')).cancel,
  },
  tell: {
    personal: true,
    summary: 'say something to the agents of a run in flight',
    load: async () => (await import('./run/tell.ts')).tell,
  },
  status: { summary: 'where a run stands', load: async () => (await import('./look/status.ts')).status },
  list: { summary: 'the runs of this project', load: async () => (await import('./look/list.ts')).list },
  logs: {
    summary: 'what happened, fact by fact, or what an agent said',
    load: async () => (await import('./look/logs.ts')).logs,
  },
  brief: {
    summary: 'what an agent or judge of a phase would be told now',
    load: async () => (await import('./look/brief.ts')).brief,
  },
  gate: {
    personal: ['--trust'],
    summary: 'judge a phase again, without an agent',
    load: async () => (await import('./look/gate.ts')).gate,
  },
  diff: {
    summary: 'what a run, or a phase of it, has changed, as a patch',
    load: async () => (await import('./look/diff.ts')).diff,
  },
  evidence: {
    summary: 'what shows that a run made what was asked for, and what nobody checked',
    load: async () => (await import('./look/evidence.ts')).evidence,
  },
  shell: {
    personal: true,
    summary: 'your shell where a phase works, with what it has made',
    load: async () => (await import('./look/shell.ts')).shell,
  },
  inbox: { summary: 'questions that wait for a human', load: async () => (await import('./human/inbox.ts')).inbox },
  decide: {
    personal: true,
    summary: 'answer a question and go on',
    load: async () => (await import('./run/decide.ts')).decide,
  },
  approve: {
    personal: true,
    summary: 'have files judged by an independent agent, outside any run',
    load: async () => (await import('./judge/approve.ts')).approve,
    below: {
      mark: {
        personal: true,
        summary: 'say that a verdict turned out to be wrong',
        load: async () => (await import('./judge/mark.ts')).mark,
      },
    },
  },
  trust: {
    personal: true,
    summary: 'look at what a plan could do, and allow it',
    load: async () => (await import('./run/trust.ts')).trust,
  },
  gc: {
    personal: true,
    summary: 'clear up: leftovers of what was killed, and old runs',
    load: async () => (await import('./tools/gc.ts')).gc,
  },
  doctor: {
    personal: ['--live'],
    summary: 'what HELIX finds on this machine',
    load: async () => (await import('./tools/doctor.ts')).doctor,
  },
  adr: {
    summary: 'check ADRs, write them and see how they connect',
    group: async () => (await import('./adr/adr.ts')).ADR,
  },
  metrics: {
    summary: 'how approvals go: rates, times, costs, and the aims',
    load: async () => (await import('./look/metrics.ts')).metrics,
  },
  calibrate: {
    personal: true,
    summary: 'measure judges: plant defects, and count what is missed',
    load: async () => (await import('./judge/calibrate.ts')).calibrate,
  },
  schema: { summary: 'the JSON Schema of a format', load: async () => (await import('./tools/schema.ts')).schema },
  completion: {
    summary: 'completion for your shell',
    load: async () => (await import('./tools/completion.ts')).completionOf(COMMANDS),
  },
};

/** `helix` itself. */
export const HELIX: CommandGroup = {
  name: 'helix',
  about: 'runs coding agents through phases they cannot talk their way past',
  commands: COMMANDS,
  notes: [
    'One sentence, one change, in any git repository:',
    '  helix do "the CSV export loses umlauts; add a test for it"',
    '',
    'Try it without an agent or a key:',
    '  helix new demo --type documentation --request "Explain our API"',
    '  helix run demo --agent scripted',
    '',
    'Check the ADRs of any repository:',
    '  helix adr check docs/adr',
    '',
    'Help on a command: helix <command> --help',
    'Exit codes: 0 passed, 1 failed, 2 usage or plan, 3 waiting for a human, 4 budget spent, 5 parked, 130 interrupted',
  ],
};
