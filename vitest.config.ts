import { configDefaults, defineConfig } from 'vitest/config';

// How long a test may hang, not how long it may take: a busy machine must not fail what is only slow.
const shared = { testTimeout: 300_000, hookTimeout: 300_000, env: { TZ: 'UTC' } };
const PURE = 'src/{domain,text,plan,adr,brief,approval,report,gates,engine}/**/*.test.ts';

// What pure tests read without importing it: `vitest --changed`, which follows imports, runs them all where such a file changes.
const root = import.meta.dirname.replaceAll(/[\\*?+@!|()[\]{}]/g, '\\$&');
const READ = `${root}/{approvals,config,docs,examples,src,templates,test}/**/!(*.ts)`;

// What `npm test` repeats less often than `npm run test:deep`.
const REPEATED = [
  'test/{kill-real,kill-repository,kill-sweep,one-owner,approval-mixing,planted-bugs,hostile-files}.test.ts',
  'test/{robust-disk,robust-outputs,robust-breakdowns,many-runs}.test.ts',
  'test/agents/{stand-in-kills,claude-kills,failure-matrix}.test.ts',
];

export default defineConfig({
  test: {
    // Tests start programs all the time: more than one file per core makes all of them slower.
    maxWorkers: 2,
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, READ],
    projects: [
      // These keep nothing between files, so that they can share what they have loaded.
      { test: { ...shared, name: 'pure', include: [PURE], isolate: false } },
      {
        test: {
          ...{ ...shared, name: 'world', globalSetup: 'test/warm/pool.ts' },
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [PURE],
        },
      },
      {
        test: {
          ...{ ...shared, name: 'deep', testTimeout: 3_600_000 },
          include: ['test/**/*.deep.ts', ...REPEATED],
          env: { ...shared.env, HELIX_DEEP: '1' },
        },
      },
    ],
  },
});
