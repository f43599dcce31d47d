// The import table of ARCHITECTURE.md: who may import whom. Everything not listed is a breach.
const MAY_IMPORT = {
  cli: ['cli', 'engine', 'gates', 'approval', 'brief', 'plan', 'adr', 'report', 'adapters', 'ports', 'text', 'domain'],
  web: ['web', 'engine', 'gates', 'approval', 'brief', 'plan', 'adr', 'report', 'adapters', 'ports', 'text', 'domain'],
  index: ['engine', 'gates', 'approval', 'brief', 'plan', 'adr', 'report', 'adapters', 'ports', 'text', 'domain'],
  engine: ['engine', 'gates', 'approval', 'brief', 'plan', 'report', 'ports', 'text', 'domain'],
  gates: ['gates', 'approval', 'adr', 'ports', 'text', 'domain'],
  approval: ['approval', 'brief', 'ports', 'text', 'domain'],
  brief: ['brief', 'ports', 'text', 'domain'],
  plan: ['plan', 'ports', 'text', 'domain'],
  adapters: ['adapters', 'ports', 'text', 'domain'],
  adr: ['adr', 'text', 'domain'],
  report: ['report', 'text', 'domain'],
  text: ['text', 'domain'],
  ports: ['ports', 'domain'],
  domain: ['domain'],
};

// The rooms of each folder, from the ground up: what each may import of its own folder. '.' is the folder's own files.
const ROOMS = {
  domain: {
    '.': [],
    judge: [],
    plan: ['.', 'judge'],
    facts: ['.', 'judge', 'plan'],
    documents: ['.', 'judge', 'plan', 'facts'],
    ladder: ['.', 'judge', 'plan', 'facts'],
    run: ['.', 'judge', 'plan', 'facts', 'ladder'],
  },
  text: {
    '.': [],
    secrets: ['.'],
    'agent-words': ['.'],
    syntax: ['.'],
    yaml: ['.'],
  },
  plan: {
    read: [],
    build: [],
    check: ['read', 'build'],
    '.': ['read', 'build', 'check'],
  },
  adr: {
    document: [],
    'rules/words': ['document'],
    rules: ['document', 'rules/words'],
    'rules/load': ['document', 'rules', 'rules/words'],
    structure: ['document', 'rules'],
    corpus: ['document'],
    write: ['document', 'corpus'],
    'concept/read': ['document'],
    'concept/index': ['document', 'concept/read'],
    'concept/sections': ['document', 'concept/read', 'concept/index'],
    'concept/plans': ['document', 'concept/read', 'concept/index', 'concept/sections'],
    'concept/drift': ['document', 'concept/read', 'concept/index', 'concept/sections'],
    concept: ['document', 'concept/read', 'concept/index', 'concept/sections', 'concept/plans', 'concept/drift'],
    '.': ['document', 'rules', 'structure', 'corpus', 'concept'],
  },
  approval: {
    '.': [],
    calibration: ['.'],
  },
  gates: {
    gate: [],
    detect: [],
    'test-output/report': [],
    'test-output/formats': ['test-output/report'],
    'test-output/runners': ['test-output/report'],
    'test-output': ['test-output/report', 'test-output/formats', 'test-output/runners'],
    files: ['gate'],
    commands: ['gate', 'detect', 'test-output', 'test-output/report'],
    adr: ['gate', 'files'],
    judge: ['gate', 'files', 'adr'],
    '.': ['gate', 'files', 'commands', 'adr', 'judge'],
  },
  report: {
    words: [],
    adr: ['words'],
    plan: ['words'],
    run: ['words'],
    approval: ['words', 'adr'],
    html: ['words', 'run'],
    ladder: ['words', 'run'],
  },
  engine: {
    step: [],
    ladder: ['step'],
    publish: ['step'],
    attempt: ['step', 'publish'],
    judge: ['step', 'publish', 'attempt'],
    start: ['step', 'judge'],
    '.': ['step', 'ladder', 'publish', 'attempt', 'judge', 'start'],
  },
  adapters: {
    disk: [],
    secrets: ['disk'],
    trees: ['disk'],
    journal: ['disk', 'secrets'],
    judging: ['disk', 'secrets', 'journal'],
    'programs/walls': ['disk', 'secrets'],
    programs: ['disk', 'secrets', 'programs/walls'],
    notify: ['programs'],
    agents: ['disk', 'trees', 'programs'],
    'agents/acp': ['disk', 'programs', 'agents'],
    'agents/claude-code': ['disk', 'secrets', 'programs', 'programs/walls', 'agents'],
    'agents/codex': ['disk', 'programs', 'agents'],
    'repo/git': ['programs'],
    adrs: ['repo/git'],
    'repo/user': ['disk', 'trees', 'agents', 'repo/git'],
    'repo/own': ['disk', 'trees', 'repo/git', 'repo/user'],
    'repo/work': ['disk', 'trees', 'repo/git', 'repo/user', 'repo/own'],
    repo: ['disk', 'trees', 'repo/git', 'repo/user', 'repo/own', 'repo/work'],
    '.': [
      ...['disk', 'secrets', 'trees', 'journal', 'judging', 'programs', 'programs/walls', 'notify', 'repo'],
      ...['agents', 'agents/acp', 'agents/claude-code', 'agents/codex'],
    ],
    gc: ['.', 'disk', 'trees', 'programs', 'repo/git', 'repo/user', 'repo/work'],
  },
  cli: {
    call: [],
    adr: ['call'],
    human: ['call'],
    tools: ['call'],
    judge: ['call', 'adr'],
    project: ['call', 'tools'],
    run: ['call', 'human'],
    look: ['call', 'human', 'judge'],
    '.': ['call', 'adr', 'human', 'tools', 'judge', 'project', 'run', 'look'],
  },
};
const room = (folder, name) => (name === '.' ? `^src/${folder}/[^/]+$` : `^src/${folder}/${name}/[^/]+$`);
const TESTS = '[.](test|contract|fixture)[.]ts$';

const FILES = new Set(['index']);
const place = (name) => (FILES.has(name) ? `^src/${name}[.]ts$` : `^src/${name}/`);
const EFFECTS =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|dns|tls|worker_threads|cluster|sqlite|os|readline|readline/promises|process|timers|timers/promises)$';
const PURE = '^src/(domain|ports|text|plan|adr|brief|approval|gates|engine|report)/';

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '[.](test|contract|fixture)[.]ts$|^src/cli/main[.]ts$|^src/index[.]ts$',
      },
      to: {},
    },
    {
      name: 'no-other-folder',
      comment: 'src/ has just the folders and files of ARCHITECTURE.md',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(MAY_IMPORT).map(place).join('|') },
      to: {},
    },
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `${folder} may import only: ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: place(folder), pathNot: TESTS },
      to: { path: '^src/', pathNot: allowed.map(place).join('|') },
    })),
    ...Object.entries(ROOMS).flatMap(([folder, rooms]) => [
      {
        name: `${folder}-rooms`,
        comment: `${folder} has the rooms ${Object.keys(rooms).join(', ')}; a new one is a line in this file`,
        severity: 'error',
        from: {
          path: `^src/${folder}/`,
          pathNot: [TESTS, ...Object.keys(rooms).map((name) => room(folder, name))].join('|'),
        },
        to: {},
      },
      ...Object.entries(rooms).map(([name, allowed]) => ({
        name: `${folder}-room-${name === '.' ? 'door' : name}`,
        comment: `${folder}/${name} may import of its folder only: ${allowed.join(', ') || 'nothing'}`,
        severity: 'error',
        from: { path: room(folder, name), pathNot: TESTS },
        to: { path: `^src/${folder}/`, pathNot: [name, ...allowed].map((each) => room(folder, each)).join('|') },
      })),
    ]),
    {
      name: 'domain-needs-nothing-but-zod',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: '[.](test|fixture)[.]ts$' },
      to: { path: 'node_modules|^node:', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'domain-needs-no-node',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: '[.](test|fixture)[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'effects-at-the-edges',
      comment: 'files, processes, network and timers belong to adapters, cli and web',
      severity: 'error',
      from: { path: PURE, pathNot: TESTS },
      to: { path: EFFECTS },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
