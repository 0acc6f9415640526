import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{values,builtins,ir-schema,bundle,compiler,runtime,query,inspect,engine,views,services,storage,gateway,library,modules,server,integrations,debug,web,cli,scripts,bench,test}/**/*.test.ts',
    ],
    setupFiles: ['test/harness/set-up/fuzz-seed.ts', 'test/harness/set-up/quiet-warnings.ts'],
    // The machine has two cores: more workers would only delay each other.
    maxWorkers: 2,
    // Only for hanging tests: on a busy machine a test takes many times as long as alone.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
