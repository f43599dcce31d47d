import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Most tests wait for programs they have started.
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'unit', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] } },
      { test: { ...shared, name: 'deep', include: ['test/**/*.deep.ts'], testTimeout: 3_600_000 } },
    ],
  },
});
