import { defineConfig } from 'vitest/config';

/** Latency tests with a real server, which must not run beside other tests. */
export default defineConfig({
  test: { include: ['test/hostile/*.hostile.ts'], fileParallelism: false, maxConcurrency: 2, testTimeout: 600_000 },
});
