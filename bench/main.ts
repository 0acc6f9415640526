/**
 * `npm run -s bench -- [--json] [--scale N] [--against COMMIT] [DIR…]` times decisions; a first
 * argument that names another bench (see `benches`) runs that one. Each bench compares with a
 * reference in the same run and reports ratios, since absolute times from different machines or
 * moments are not comparable.
 */

interface Bench {
  run(args: readonly string[]): void | Promise<void>;
}

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  builtins: () => import('./builtins.js'),
  'bundle-updates': () => import('./bundle-updates.js'),
  compile: () => import('./compile.js'),
  debugger: () => import('./inspection/debugger.js'),
  envoy: () => import('./envoy.js'),
  evaluator: () => import('./evaluator.js'),
  inspector: () => import('./inspection/inspector.js'),
  'js-modules': () => import('./js-modules.js'),
  lint: () => import('./inspection/lint.js'),
  'log-delivery': () => import('./log-delivery.js'),
  lsp: () => import('./inspection/lsp.js'),
  memory: () => import('./memory.js'),
  patches: () => import('./writes/patches.js'),
  recompile: () => import('./recompile.js'),
  server: () => import('./server.js'),
  start: () => import('./start.js'),
  storage: () => import('./storage.js'),
  test: () => import('./test.js'),
  verify: () => import('./inspection/verify.js'),
  watches: () => import('./watches.js'),
  why: () => import('./why.js'),
};

const [first = '', ...rest] = process.argv.slice(2);
const named = Object.hasOwn(benches, first) ? benches[first] : undefined;
const { run } = named === undefined ? await import('./decisions.js') : await named();
await run(named === undefined ? process.argv.slice(2) : rest);
