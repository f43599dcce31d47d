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
  ports: ['domain'],
  domain: ['domain'],
};
const FILES = new Set(['index', 'ports']);
const place = (name) => (FILES.has(name) ? `^src/${name}[.]ts$` : `^src/${name}/`);
const EFFECTS =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|dns|tls|worker_threads|cluster|sqlite|os|readline|readline/promises|process|timers|timers/promises)$';
const PURE = '^src/(domain|text|plan|adr|brief|approval|gates|engine|report)/|^src/ports[.]ts$';

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
      from: { path: place(folder), pathNot: '[.](test|contract|fixture)[.]ts$' },
      to: { path: '^src/', pathNot: allowed.map(place).join('|') },
    })),
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
      from: { path: PURE, pathNot: '[.](test|contract|fixture)[.]ts$' },
      to: { path: EFFECTS },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.](test|contract|fixture)[.]ts$' },
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
