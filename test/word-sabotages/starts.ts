import type { WordSabotage } from './sabotage.ts';

const REQUIRE = 'src/engine/start/require-task.ts';
const REQUIRED = 'src/engine/start/require-task.test.ts';
const RUN = 'src/cli/run/nothing-asked.test.ts';
const CLAUDE = 'src/adapters/agents/claude-code/claude-arguments.ts';
const CLAUDE_TEST = 'src/adapters/agents/claude-code/claude-arguments.test.ts';
const NAMES = 'src/plan/check/check-names.ts';
const NAMED = 'src/plan/check/check-names.test.ts';
const IN_REPOSITORY = 'test/new-in-repository.test.ts';
const TOP =
  'makes a folder with the plan and the request of a feature, and works at the top with the set-up and tests there';

/** What is refused, and where work begins. */
export const START_SABOTAGES: readonly WordSabotage[] = [
  {
    promise: 'A run that has neither request nor description does not start',
    what: 'a run that starts although nothing was asked',
    file: REQUIRE,
    find: 'if (!placeholder && [request, about.description, ...described].some(isTask)) return undefined;',
    plant: 'if (!placeholder) return undefined;',
    by: [REQUIRED, 'a run in which nobody has said what is wanted does not start'],
    always: true,
  },
  {
    promise: 'A directory without a plan and a request starts nothing, and is told so',
    what: 'a plan from a template for a task nobody named',
    file: REQUIRE,
    find: "start.source.origin === 'template'",
    plant: "start.source.origin === ''",
    by: [REQUIRED, 'a run in which nobody has said what is wanted does not start'],
  },
  {
    promise: 'Placeholder text is no request',
    what: 'a placeholder that goes to every agent word for word',
    file: REQUIRE,
    find: 'return hasWords(text) && PLACEHOLDERS.some((pattern) => pattern.test(words));',
    plant: "return hasWords(text) && words === '';",
    by: [REQUIRED, 'a request that is still a placeholder is refused'],
  },
  {
    promise: 'A run without a task is refused before trust is asked for, and before money is spent',
    what: 'trust that is asked for before the task',
    file: 'src/cli/run/run.ts',
    find: "    const nothingAsked = await requireTask(world.project, prepared);\n    await requireTrust(world, prepared, call.flag('trust'));",
    plant:
      "    await requireTrust(world, prepared, call.flag('trust'));\n    const nothingAsked = await requireTask(world.project, prepared);",
    by: [RUN, 'is refused before trust is asked for'],
  },
  {
    promise: 'A scripted trial goes on, and says that nothing was asked',
    what: 'a trial that says nothing of it',
    file: 'src/cli/run/run.ts',
    find: 'if (nothingAsked !== undefined) call',
    plant: 'if (nothingAsked === null) call',
    by: [RUN, 'a scripted trial goes on and says that nothing was asked'],
  },
  {
    promise: "max_iterations limits questions, never Claude's turns",
    what: 'max_iterations as a limit of turns',
    file: CLAUDE,
    find: "...['--max-turns', String(MAX_TURNS)],",
    plant: "...['--max-turns', String(task.phase.config.max_iterations ?? MAX_TURNS)],",
    by: [CLAUDE_TEST, 'max_iterations is about questions and bounds no turns'],
  },
  {
    promise: 'An agent is told how many questions it may leave open',
    what: 'max_iterations that nobody is told',
    file: 'src/brief/setting-words.ts',
    find: 'max_questions: config.max_iterations === undefined ? null : String(config.max_iterations),',
    plant: 'max_questions: null,',
    by: ['src/brief/brief.test.ts', 'lets every setting of the phase change it'],
  },
  {
    promise: 'helix new inside a repository works at its root',
    what: 'a project that works in the folder of its plan',
    file: 'src/cli/project/show-detected.ts',
    find: "return { workspace: { ...workspace, root: '.' }, ...found };",
    plant: 'return { workspace, ...found };',
    by: [IN_REPOSITORY, TOP],
  },
  {
    promise: 'helix new inside a repository has the set-up and tests that are found there',
    what: 'a project without the tests of its repository',
    file: 'src/cli/project/show-detected.ts',
    find: "return { workspace: { mode: 'repo', setup, cache }, tests: test ?? 'none', found };",
    plant: "return { workspace: { mode: 'repo', setup: [], cache }, tests: 'none', found };",
    by: [IN_REPOSITORY, TOP],
  },
  {
    promise: 'Research is given web search where the agent has it',
    what: 'research without web search',
    file: CLAUDE,
    find: '...(wantsWeb(phase) ? webTools(network) : [])];',
    plant: '];',
    by: [CLAUDE_TEST, 'searches the web where it is to find things out'],
  },
  {
    promise: 'Research without web search is told so',
    what: 'research that believes it can search',
    file: 'src/brief/brief-facts.ts',
    find: 'if (web === undefined) return null;\n  return web\n',
    plant: 'if (web === undefined) return null;\n  return web === false || web\n',
    by: ['src/brief/brief.test.ts', 'tells who is to look things up whether it can search the web'],
  },
  {
    promise: 'Whether its agent can search the web is known when a brief is made',
    what: 'research that is told nothing of the web',
    file: 'src/engine/attempt/attempt-brief.ts',
    find: 'driver !== undefined && CAPABILITIES[driver].web : undefined;',
    plant: 'driver === undefined || undefined : undefined;',
    by: ['test/briefs.test.ts', 'to a phase of each type'],
  },
  {
    promise: 'A template of the project that does not exist is an error of plan',
    what: 'a misspelt template',
    file: NAMES,
    find: 'names.has(name) || unsafePath(name) !== undefined) continue;',
    plant: '!names.has(name) || unsafePath(name) !== undefined) continue;',
    by: [NAMED, 'a template that does not exist is an error with the one that was meant'],
  },
  {
    promise: 'A model that does not exist is an error of plan',
    what: 'a misspelt model',
    file: 'src/plan/check/check-models.ts',
    find: 'if (meant === undefined && (!KNOWING.has(driver) || isLikely(name, models))) continue;',
    plant: 'if (meant !== undefined || !KNOWING.has(driver) || isLikely(name, models)) continue;',
    by: ['src/plan/check/check-models.test.ts', 'a model that does not exist is an error where it stands'],
  },
  {
    promise: 'A review scope that does not exist is an error of plan',
    what: 'a misspelt review scope',
    file: NAMES,
    find: 'if (scope === undefined || (REVIEW_SCOPES',
    plant: 'if (scope !== undefined || (REVIEW_SCOPES',
    by: [NAMED, 'a review scope that does not exist is an error'],
  },
  {
    promise: 'An unknown skill is a warning',
    what: 'a skill that nobody wrote',
    file: NAMES,
    find: '(phase.config.skills ?? []).some(isNamed))) await',
    plant: '(phase.config.skills ?? []).every((name) => !isNamed(name))))',
    by: [NAMED, 'a skill that nobody wrote is a warning'],
  },
  {
    promise: 'An unknown expert is a warning',
    what: 'an expert that nobody describes',
    file: NAMES,
    find: '(phase.config.experts ?? []).some(isNamed)))',
    plant: '(phase.config.experts ?? []).every((name) => !isNamed(name))))',
    by: [NAMED, 'an expert that nobody describes is a warning'],
  },
];
