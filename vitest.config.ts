import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{compiler,query,ir-schema,runtime,engine,server,cli,scripts,bench}/**/*.test.ts'],
    setupFiles: ['scripts/fuzz-seed.ts'],
    // Two cores: more workers only make each other late.
    maxWorkers: 2,
    // Against tests that hang, no more: on a busy machine each takes many times as long as alone.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
