import type { Bug } from './planted-bug.ts';

const LADDER = 'test/ladder.test.ts';
const PROMISES = 'the ladder keeps its promises';
const RUNGS = 'src/domain/ladder/escalation.test.ts';

/** Mistakes that would break the ladder, each with the test that notices it; `always` are the ones npm test tries. */
export const LADDER_SABOTAGES: readonly (Bug & { readonly always?: boolean })[] = [
  {
    what: 'one attempt too many on a rung',
    file: 'src/domain/ladder/escalation.ts',
    find: 'judged < attemptsOf(',
    plant: 'judged <= attemptsOf(',
    by: [LADDER, PROMISES],
    always: true,
  },
  {
    what: 'attempts that are forgotten by a crash',
    file: 'src/domain/run/evolve.ts',
    find: "    if (phase.status === 'parked') update(state, phase.id, { status });",
    plant: '    update(state, phase.id, { rung: { ...phase.rung, judged: 0 } });',
    by: [LADDER, PROMISES],
    always: true,
  },
  {
    what: 'a decision that is applied twice',
    file: 'src/domain/run/evolve-decision.ts',
    find: 'request.answer !== undefined || request.withdrawn === true',
    plant: 'request.withdrawn === true',
    by: [LADDER, PROMISES],
    always: true,
  },
  {
    what: 'an approval that is kept after a revert',
    file: 'src/domain/run/evolve-approval.ts',
    find: '  voidApprovals(state, voided);\n',
    plant: '',
    by: [LADDER, PROMISES],
    always: true,
  },
  {
    what: 'reverted work that the run still stands on',
    file: 'src/domain/run/evolve-escalation.ts',
    find: '  state.tip = stateOf(line.at(-1) ?? state.base);\n',
    plant: '',
    by: [LADDER, PROMISES],
  },
  {
    what: 'a revert that leaves out what was accepted since',
    file: 'src/domain/ladder/revert.ts',
    find: 'for (const { phase } of line.slice(first)) gone.add(phase);',
    plant: '',
    by: [LADDER, PROMISES],
  },
  {
    what: 'an override that also counts for later attempts',
    file: 'src/domain/run/decide.ts',
    find: 'override.attempt === current?.attempt',
    plant: 'current !== undefined',
    by: [LADDER, PROMISES],
  },
  {
    what: 'a consultant that may answer nonsense for ever',
    file: 'src/domain/ladder/escalation.ts',
    find: ' || refusals >= REFUSAL_CAP',
    plant: '',
    by: [RUNGS, 'a consultant that answers nonsense once is asked again, and after the second time a human is'],
  },
  {
    what: 'a second decision of the consultant instead of a human',
    file: 'src/domain/ladder/escalation.ts',
    find: "consulted || granted ? 'advise' : 'decide'",
    plant: "granted ? 'advise' : 'decide'",
    by: [RUNGS, 'on_failure'],
  },
  {
    what: 'a start that was approved before a revert',
    file: 'src/domain/run/evolve-escalation.ts',
    find: 'history, climbed, ...beginning }',
    plant: 'history, climbed, ...beginning, cleared: phase.cleared }',
    by: [LADDER, PROMISES],
  },
  {
    what: 'nonsense of a consultant that is forgotten by a crash',
    file: 'src/domain/run/evolve-escalation.ts',
    find: '      consultantBroke: failure,',
    plant: '      consultantBroke: failure, refusals: 0,',
    by: [LADDER, PROMISES],
  },
  {
    what: 'one rework too many of what a review rejects',
    file: 'src/domain/ladder/escalation.ts',
    find: 'rung.reworks < reworksOf(',
    plant: 'rung.reworks <= reworksOf(',
    by: [LADDER, PROMISES],
  },
  {
    what: 'a review that forgets how often it has sent work back',
    file: 'src/domain/run/evolve-approval.ts',
    find: '  for (const objector of objectors) keepClimbing(state, objector);\n',
    plant: '',
    by: [LADDER, PROMISES],
  },
  {
    what: 'a review that reads again what it has rejected',
    file: 'src/domain/ladder/escalation.ts',
    find: '  if (rejectsWork(phase, state)) return reviewed(gate, { phase, state, run });\n',
    plant: '',
    by: [LADDER, PROMISES],
  },
  {
    what: 'a decision to go back that another one replaces',
    file: 'src/domain/run/evolve-escalation.ts',
    find: 'state.reverting = [...state.reverting, {',
    plant: 'state.reverting = [{',
    by: [LADDER, PROMISES],
  },
];
