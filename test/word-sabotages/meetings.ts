import type { WordSabotage } from './sabotage.ts';

const MEETING = 'test/words/meeting-words.test.ts';
const BRIEFS = 'src/brief/meeting-briefs.ts';
const EVERYBODY = 'everybody who is heard is told: ';

/** What those who are asked in a meeting are told, and what they are not. */
export const MEETING_SABOTAGES: readonly WordSabotage[] = [
  {
    promise: 'Everybody who is heard in a meeting is told the request',
    what: 'a meeting without the request',
    file: BRIEFS,
    find: 'quoteWithin(request.trim(), MAX_TASK)',
    plant: "''",
    by: [MEETING, `${EVERYBODY}request`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told where it stands in the plan',
    what: 'a meeting without a plan around it',
    file: BRIEFS,
    find: "quoteWithin(place.join('\\n'), MAX_LIST)",
    plant: "quoteWithin('', MAX_LIST)",
    by: [MEETING, `${EVERYBODY}what comes after`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told by what its work is judged',
    what: 'a meeting that knows no gates',
    file: BRIEFS,
    find: '...rules.map(',
    plant: '...rules.slice(0, 0).map(',
    by: [MEETING, `${EVERYBODY}rules`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told what is left of money and time',
    what: 'a meeting that knows no budget',
    file: BRIEFS,
    find: '    left,\n    ...(inputs.length',
    plant: '    left.slice(0, 0),\n    ...(inputs.length',
    by: [MEETING, `${EVERYBODY}money`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told which conventions there are',
    what: 'conventions that no meeting knows the names of',
    file: BRIEFS,
    find: "conventions.join(', ')",
    plant: "conventions.slice(0, 0).join(', ')",
    by: [MEETING, `${EVERYBODY}names of conventions`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told what lies before it',
    what: 'a meeting that does not know what it was given',
    file: BRIEFS,
    find: "quoteWithin(inputs.join('\\n'), MAX_LIST)",
    plant: "quoteWithin('', MAX_LIST)",
    by: [MEETING, `${EVERYBODY}inputs`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told what a human decided',
    what: 'a human’s words that no meeting hears',
    file: BRIEFS,
    find: "quoteWithin(guidance.join('\\n\\n'), MAX_WORDS, 'end')",
    plant: "''",
    by: [MEETING, `${EVERYBODY}human words`],
  },
  {
    promise: 'Everybody who is heard in a meeting is told the language to answer in',
    what: 'a meeting in a language of its own',
    file: BRIEFS,
    find: 'code(oneLine(language, 40))',
    plant: "code(language.slice(0, 0) || 'en')",
    by: [MEETING, `${EVERYBODY}language`],
  },
  {
    promise: 'The consultant of a meeting has the words of all experts',
    what: 'opinions that the consultant does not hear',
    file: BRIEFS,
    find: '...opinions(meeting),',
    plant: '...opinions(meeting).slice(0, 0),',
    by: [MEETING, 'the consultant has the words of all of them'],
  },
  {
    promise: 'Whoever writes criteria cannot read what the author of the specification wrote beside it',
    what: 'a second consultant who reads the work of the first',
    file: 'src/engine/meeting/matter.ts',
    find: 'const tree = at?.baseTree ??',
    plant: 'const tree = at?.current?.tree ?? at?.baseTree ??',
    by: [MEETING, 'whoever says by what the work is judged knows request, answers and specification'],
  },
  {
    promise: 'Whoever is asked again in a meeting is told what gates found since',
    what: 'a meeting that does not know what was wrong',
    file: 'src/engine/meeting/matter.ts',
    find: 'verdicts: at?.lastVerdicts ?? [],',
    plant: 'verdicts: (at?.lastVerdicts ?? []).slice(0, 0),',
    by: [MEETING, 'is told what gates found wrong since'],
  },
  {
    promise: 'helix brief shows what is sent to an expert, word for word',
    what: 'an expert who is shown without skills',
    file: 'src/engine/meeting-briefs-now.ts',
    find: '...expertBrief(matter, expert, skills),',
    plant: '...expertBrief(matter, expert, skills.slice(0, 0)),',
    by: [MEETING, 'helix brief shows word for word'],
  },
  {
    promise: 'Experts are called for by what the project is written in',
    what: 'a meeting that does not look at the project',
    file: 'src/engine/meeting/perform-meeting.ts',
    find: "setting === 'experts' && name !== undefined",
    plant: "setting === 'experts' && name !== undefined && !reason.startsWith('the project')",
    by: [MEETING, 'auto calls for those that the project needs'],
  },
];
