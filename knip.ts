import { entrySources } from './scripts/build/entries.js';

/** Where the search for unused files and exports begins. */
export default {
  entry: [
    ...entrySources,
    'library/evaluation-thread.ts',
    'runtime/codegen/module/runtime.ts',
    'cli/main.ts',
    'cli/web/page/main.tsx',
    'cli/web/server/main.tsx',
    'cli/web/worker/main.ts',
    'cli/web/playground/main.tsx',
    'cli/web/playground/worker/main.ts',
    'cli/web/playground/language/worker.ts',
    'scripts/{start,check-sources}.ts',
    'bench/**/*.ts',
    'test/**/main.ts',
    'test/harness/heap.ts',
    'test/resilience/broken-stores.ts',
    'test/harness/server/log-service.ts',
    '**/*.test.ts',
    '!examples/**',
    '!editors/**',
    '!.package-examples/**',
    'test/hostile/*.hostile.ts',
  ],
  // Test files are above; without names here, those of examples/ count, too.
  vitest: { config: ['vitest.*.ts'], entry: ['test/harness/set-up/*.ts'] },
  // The apps of examples/ have their own packages.
  project: ['**/*.{ts,tsx}', '!examples/**', '!editors/**', '!.package-examples/**'],
  // Peers that are not installed here: `library/integrations/peers.d.ts` declares what is used of
  // them.
  ignoreDependencies: ['@nestjs/common', '@trpc/server', 'express', 'fastify', 'koa', 'react'],
  ignoreBinaries: [
    'patch',
    'systemd-analyze',
    'mkfifo',
    'mount',
    'umount',
    'openssl',
    'docker-registry',
    'moto_server',
    'envoy',
    'promtool',
  ],
};
