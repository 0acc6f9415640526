import { defineConfig } from 'vitest/config';

/** What measures latencies of a real server: it must not run beside other tests. */
export default defineConfig({
  test: { include: ['server/hostile/*.hostile.ts'], fileParallelism: false, testTimeout: 600_000 },
});
