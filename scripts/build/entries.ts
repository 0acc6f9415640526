/**
 * The entries of the package: the modules that users import. The build makes each of them, and
 * tests compare package.json (`exports`, `typesVersions`) and the sizes with this table. To add an
 * entry, add a row, and put what `entries.test.ts` prints into package.json.
 */

import manifest from '../../package.json' with { type: 'json' };

interface Entry {
  /** The name in `exports`: `.` for the package itself, `./hono` for `writ/hono`. */
  readonly name: string;
  /**
   * The source for Node, and for bundlers of programs that run on Node. With nothing of Node in it,
   * it runs everywhere, and needs no source for browsers.
   */
  readonly node?: string;
  /** The source for browsers, workers and edge runtimes. */
  readonly browser?: string;
  readonly budgets: { readonly node?: Budget; readonly browser?: Budget };
}

/** Bytes after gzip, of ES modules. */
interface Budget {
  /** The modules that load with the entry. */
  readonly start: number;
  /** These and the modules that it loads on demand. */
  readonly all: number;
}

const browserLibrary = { source: 'library/browser.ts', budget: { start: 60_000, all: 518_500 } } as const;

export const entries: readonly Entry[] = [
  {
    name: '.',
    node: 'library/index.ts',
    browser: browserLibrary.source,
    budgets: { node: { start: 200_000, all: 861_000 }, browser: browserLibrary.budget },
  },
  { name: './browser', browser: browserLibrary.source, budgets: { browser: browserLibrary.budget } },
  {
    name: './opa-wasm',
    node: 'library/integrations/opa-wasm/index.ts',
    browser: 'library/integrations/opa-wasm/browser.ts',
    budgets: { node: { start: 200_000, all: 560_000 }, browser: { start: 50_000, all: 409_000 } },
  },
  {
    name: './compiler',
    node: 'library/integrations/compiler/index.ts',
    budgets: { node: { start: 320_000, all: 470_000 } },
  },
  { name: './envoy', node: 'library/integrations/envoy/index.ts', budgets: { node: { start: 220_000, all: 636_000 } } },
  { name: './guard', node: 'library/integrations/guard/index.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './hono', node: 'library/integrations/guard/hono.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './express', node: 'library/integrations/guard/express.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './fastify', node: 'library/integrations/guard/fastify.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './koa', node: 'library/integrations/guard/koa.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './nestjs', node: 'library/integrations/guard/nestjs.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './next', node: 'library/integrations/guard/next.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './trpc', node: 'library/integrations/guard/trpc.ts', budgets: { node: { start: 6500, all: 6500 } } },
  { name: './yoga', node: 'library/integrations/guard/yoga.ts', budgets: { node: { start: 6800, all: 6800 } } },
  {
    name: './validator',
    node: 'library/integrations/validator/index.ts',
    budgets: { node: { start: 1500, all: 1500 } },
  },
  { name: './react', node: 'library/integrations/react/react.ts', budgets: { node: { start: 6500, all: 6500 } } },
  {
    name: './bundler',
    node: 'library/integrations/bundler/bundler.ts',
    budgets: { node: { start: 400_000, all: 500_000 } },
  },
  {
    name: './vitest',
    node: 'library/integrations/vitest/vitest.ts',
    budgets: { node: { start: 400_000, all: 500_000 } },
  },
  { name: './jest', node: 'library/integrations/jest/jest.ts', budgets: { node: { start: 380_000, all: 480_000 } } },
  {
    name: './register',
    node: 'library/integrations/register/register.ts',
    budgets: { node: { start: 380_000, all: 480_000 } },
  },
];

/**
 * Packages that a project that uses an entry has itself, such as its framework:
 * `library/integrations/` may
 * import them, and the build leaves these imports as they are.
 */
export const peers: readonly string[] = Object.keys(manifest.peerDependencies);

/** Whether an import is of a peer. */
export function isPeer(specifier: string): boolean {
  return peers.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** The sources of all entries. */
export const entrySources: readonly string[] = [
  ...new Set(entries.flatMap(({ node, browser }) => [node, browser].filter((source) => source !== undefined))),
];

/** The entry points of the bundle for Node, and of that for browsers: sources by names of files. */
export function entryPoints(platform: 'node' | 'browser'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.flatMap((entry) => (entry[platform] === undefined ? [] : [[fileOf(entry, platform), entry[platform]]])),
  );
}

/** The name of an entry's files. The library for browsers has two names and is one file. */
export function fileOf({ name, browser }: Entry, platform: 'node' | 'browser'): string {
  return name === '.' || (platform === 'browser' && browser === browserLibrary.source)
    ? 'index'
    : name.slice('./'.length);
}

/** Conditions of bundlers for browsers, workers and edge runtimes. */
const browserConditions = ['browser', 'worker', 'workerd', 'edge-light'];

/** The member `exports` of package.json. */
export function packageExports(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map((entry) => [entry.name, conditionsOf(entry)]));
}

function conditionsOf(entry: Entry): Readonly<Record<string, unknown>> {
  const { node, browser } = entry;
  const script = browser && `./dist/browser/${fileOf(entry, 'browser')}`;
  const forBrowsers = script && { types: `${script}.d.ts`, default: `${script}.js` };
  if (node === undefined) return forBrowsers || {};
  const file = `${fileOf(entry, 'node')}.js`;
  return {
    ...(forBrowsers && Object.fromEntries(browserConditions.map((condition) => [condition, { import: forBrowsers }]))),
    types: typesOf(entry),
    module: `./dist/esm/${file}`,
    default: `./dist/${file}`,
  };
}

/** The declarations of entries, by names of files in `dist/`. */
export const entryTypes: Readonly<Record<string, string>> = Object.fromEntries(
  (['node', 'browser'] as const).flatMap((platform) =>
    Object.entries(entryPoints(platform)).map(([name, source]) => [
      `${platform === 'node' ? 'types' : platform}/${name}`,
      source,
    ]),
  ),
);

/** The declarations of an entry on Node, where it has one. */
function typesOf(entry: Entry): string {
  const [folder, platform] =
    entry.node === undefined ? (['browser', 'browser'] as const) : (['types', 'node'] as const);
  return `./dist/${folder}/${fileOf(entry, platform)}.d.ts`;
}

/** The member `typesVersions`, for projects whose TypeScript does not read `exports`. */
export function packageTypesVersions(): unknown {
  const types = entries
    .filter(({ name }) => name !== '.')
    .map((entry) => [entry.name.slice('./'.length), [typesOf(entry)]]);
  return { '*': Object.fromEntries(types) };
}
