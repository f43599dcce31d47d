import type { WordSabotage } from './sabotage.ts';

const LADDER = 'test/words/ladder-words.test.ts';
const CONSULTANT = 'test/words/consultant-words.test.ts';
const HUMAN = 'test/words/human-words.test.ts';
const WHY = 'src/brief/why-back.ts';
const DECISION = 'src/domain/run/evolve-decision.ts';
const DIRECTION = 'src/domain/ladder/direction.ts';
const SPEC = 'src/domain/ladder/spec-changes.ts';

/** The words of consultants and people, and whom they are for. */
export const LADDER_WORD_SABOTAGES: readonly WordSabotage[] = [
  {
    promise: 'A consultant who goes back tells the phase why',
    what: 'a revert without its reason',
    file: 'src/domain/run/evolve-escalation.ts',
    find: "{ target, by: 'consultant', changes, reason: reasonOf(data) }",
    plant: "{ target, by: 'consultant', changes, reason: reasonOf(data).slice(0, 0) }",
    by: [LADDER, 'is told by a consultant to the phase it goes back to'],
  },
  {
    promise: 'What had been found is told with the reason of a revert',
    what: 'a revert without the findings',
    file: WHY,
    find: "const findings = findingLines(verdicts, undefined, say).join('\\n');",
    plant: "const findings = findingLines(verdicts.slice(0, 0), undefined, say).join('\\n');",
    by: [LADDER, 'is told by a consultant to the phase it goes back to'],
  },
  {
    promise: 'The guidance and the comment of an option reach the phase the option goes back to',
    what: 'an option whose guidance stays with the phase that asked',
    file: DIRECTION,
    find: "  if (decision.action === 'revert' && decision.phase !== undefined) return [decision.phase];\n",
    plant: '',
    by: [LADDER, 'that an option carries goes to the phase it goes back to'],
  },
  {
    promise: 'The comment of a human who goes back is a decision',
    what: 'a comment on a revert that is told as the reason only',
    file: DECISION,
    find: '} else if (guidance !== undefined) {',
    plant: "} else if (guidance !== undefined && decision.action !== 'revert') {",
    by: [LADDER, 'is told by a human who goes back'],
  },
  {
    promise: 'The comment of a human who goes back is no hint',
    what: 'a comment on a revert among the hints to weigh',
    file: DECISION,
    find: "...{ target: decision.phase, by: 'human', changes: decision.changes ?? {} },",
    plant:
      "...{ target: decision.phase, by: 'human', changes: { ...decision.changes, hints: [decision.guidance ?? ''] } },",
    by: [LADDER, 'is told by a human who goes back'],
  },
  {
    promise: 'A comment on an escalated approval reaches the phase whose work is sent back',
    what: 'a comment that stays with the approval',
    file: DIRECTION,
    find: 'const judged = asking !== undefined && hasOpinion(asking, at);',
    plant: "const judged = asking?.type === 'review' && hasOpinion(asking, at);",
    by: [LADDER, 'on an approval goes to the phase whose work is sent back'],
  },
  {
    promise: 'A comment on option B of the example escalation reaches the phase it goes back to',
    what: 'a comment of a human that only the phase that asked is told',
    file: DECISION,
    find: 'for (const id of addresseesOf(decision, request, state)) {',
    plant: 'for (const id of addresseesOf(decision, request, state).map(() => request.phase)) {',
    by: ['src/cli/escalation-example.test.ts', 'a comment on option B of it reaches the phase the run goes back to'],
  },
  {
    promise: 'What a consultant adds to the specification reaches all later phases',
    what: 'additions to the specification that are forgotten',
    file: 'src/domain/run/evolve-escalation.ts',
    find: "  state.specChanges = [...state.specChanges, ...specChangesOf(changes, 'consultant')];\n",
    plant: '',
    by: [LADDER, 'as a consultant completed it reaches every later phase'],
  },
  {
    promise: 'What became of the specification reaches judges',
    what: 'a judge who goes by the specification as it was written',
    file: 'src/engine/step/read-spec.ts',
    find: 'return amended(await writtenSpec(() => fromItsAuthors(phase, around), around), around.state);',
    plant:
      'return amended(await writtenSpec(() => fromItsAuthors(phase, around), around), { ...around.state, specChanges: [] });',
    by: ['test/words/judge-words.test.ts', 'after a rejection and a consultant the judge knows'],
  },
  {
    promise: 'spec_override reaches all later phases',
    what: 'a specification that no human can change',
    file: DECISION,
    find: "  state.specChanges = [...state.specChanges, ...specChangesOf(changes, 'human')];\n",
    plant: "  state.specChanges = [...state.specChanges, ...specChangesOf({ ...changes, override: {} }, 'human')];\n",
    by: [LADDER, 'as a human overrode it reaches every later phase'],
  },
  {
    promise: 'spec_override replaces what stood there',
    what: 'words of a human that stand beside what they replace',
    file: SPEC,
    find: 'else replace(root, placeOf(change.path, root), change.instead);',
    plant: 'else add(root, placeOf(change.path, root), [change.instead].flat());',
    by: ['src/domain/ladder/spec-changes.test.ts', 'what a human puts there stands in the place of what did'],
    always: true,
  },
  {
    promise: 'The answer that ADR-004 prints is accepted, with its timestamp',
    what: 'an answer that is refused for its timestamp',
    file: 'src/domain/facts/consultation.ts',
    find: '  timestamp: z.string().max(100).nullish(),\n',
    plant: '',
    by: [CONSULTANT, 'as ADR-004 prints it is accepted word for word'],
  },
  {
    promise: 'A refused answer of a consultant is kept',
    what: 'a refused answer that is thrown away',
    file: 'src/engine/publish/publish-escalation.ts',
    find: 'if (refused !== undefined) await files.write(',
    plant: 'if (refused === null) await files.write(',
    by: [CONSULTANT, 'is kept where a person can read it'],
  },
  {
    promise: 'stufe-2/trigger.json has a sentence as its reason',
    what: 'a reason that is one word',
    file: 'src/report/ladder/trigger.ts',
    find: 'reason: because ?? question }',
    plant: 'reason: request.reason }',
    by: [HUMAN, 'finds all that is known in hil-request.json'],
  },
  {
    promise: 'The question on the terminal of a run shows what failed',
    what: 'a question without what failed',
    file: 'src/report/ladder/question-card.ts',
    find: ': failureRows(attempts)',
    plant: ': failureRows(attempts.slice(0, 0))',
    by: ['src/report/ladder/question-card.test.ts', 'so is what the card quotes of a failure'],
  },
  {
    promise: 'The question on the terminal of a run has keys for the difference and the output',
    what: 'a question without keys',
    file: 'src/cli/human/answer.ts',
    find: 'for (const line of await looked(option, more)) sheet.say(line);',
    plant: 'process.exit(9);',
    by: [HUMAN, 'sees on the terminal of a run what failed'],
  },
  {
    promise: 'helix decide takes the only open question',
    what: 'a question that must be named although there is no other',
    file: 'src/cli/run/decide.ts',
    find: 'if (only !== undefined && open.length === 1) return only.request.id;',
    plant: 'if (only !== undefined && open.length === 0) return only.request.id;',
    by: [HUMAN, 'needs no name where there is one question'],
  },
  {
    promise: 'A deadline that passes is nobody’s decision',
    what: 'a user-decision.json in the name of the user',
    file: 'src/report/ladder/user-decision.ts',
    find: 'if (answer === undefined || isSilence(answer)) return undefined;',
    plant: 'if (answer === undefined || isSilence({ ...answer, actor: id })) return undefined;',
    by: [LADDER, 'of nobody is none: after a deadline'],
  },
];
