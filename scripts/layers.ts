import { builtinModules } from 'node:module';
import { dirname, posix } from 'node:path';
import { doors, readDoors, throughDoors } from './doors.js';

/**
 * The top-level folders in import order: a file may import from its own folder and from those of
 * rows above. Folders of one row may not import each other.
 */
export const floors: readonly (readonly string[])[] = [
  // Values, and the built-in functions over them: what a built-in needs of the language it gets
  // from its context.
  ['values'],
  ['ir-schema'],
  // From a plan to a decision, and from a text to a plan: the compiler never meets the machine.
  ['runtime', 'compiler'],
  // Only the engine needs compiler and runtime.
  ['engine'],
  // Sights of plans and decisions, and of policies: inspect, recordings, debug sessions, lint.
  ['views'],
  // Services, gateways, the log of writes, the REST API.
  ['server'],
  // The package: engines in process, modules of policies, entries for frameworks and bundlers.
  ['library'],
  // The command, the debug adapter, the page that the command makes and a browser shows.
  ['cli'],
  // Tools and what several tests share may import everything, and no product folder imports them.
  ['scripts'],
  ['test'],
  ['bench'],
];

/** The order inside folders with stages. Stages of one row may import each other. */
const inside: Readonly<Record<string, readonly (readonly string[])[]>> = {
  compiler: [
    ['source'],
    ['diagnostics'],
    ['ast'],
    ['syntax'],
    // Stages of resolving, rewriting and checking alternate.
    ['resolve', 'rewrite', 'check'],
    // Hints for errors look at modules and at the names of built-ins.
    ['hints'],
    // Warnings look at all modules, and at names that are like others.
    ['warnings'],
    // The formatter reports modules that the checks of version 1 reject.
    ['format'],
    ['rule-index'],
    ['plan'],
    ['optimize'],
  ],
  runtime: [
    ['evaluation'],
    ['operations'],
    // The lowered form of functions, which back ends read. Facts of a plan come before the passes
    // that decide by them, and these before the lowering of statements, which does as they decided.
    ['lowering'],
    ['lowering/facts'],
    ['lowering/passes'],
    ['lowering/lower'],
    ['bytecode'],
    ['vm'],
    ['codegen'],
    ['store'],
  ],
};

/** The top-level folders with sources. */
export const folders = floors.flat();

/** Files that must load in a browser, except those with access to Node. */
const portable =
  /^(values|ir-schema|runtime|compiler|engine|views(?!\/debug\/)|library(?!\/(?:modules|integrations)\/)|library\/integrations\/(guard|react|opa-wasm)|cli\/web)\//;

/** The exceptions. */
const nodeOnly =
  /^(values\/builtins\/host\/|engine\/bundle\/disk\/|engine\/threads\/(worker|node-threads|side-thread|query-thread|chore-worker)\.ts$|library\/services\/|views\/verify\/((files|parse-builtins)\.ts$|formats\/command\.ts$)|(library\/(index|evaluation-thread)|library\/integrations\/opa-wasm\/index)\.ts$)/;

interface Ban {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly except?: RegExp;
  readonly why: string;
}

/** Imports that the order alone would allow. */
const bans: readonly Ban[] = [
  {
    from: portable,
    to: /^(values\/builtins\/host\/|engine\/bundle\/disk\/|engine\/threads\/(worker|node-threads|side-thread|query-thread|chore-worker)\.ts$)/,
    except: nodeOnly,
    why: 'it needs Node: whoever starts an engine gives it, so that the rest runs in a browser too',
  },
  {
    from: /^test\/oracle\//,
    to: /^(?!test\/oracle\/|compiler\/(ast|syntax|source|diagnostics)\/|values\/)/,
    why: 'the oracle shares no code with the stages and machines that it checks',
  },
  {
    from: /^engine\/query\//,
    to: /^compiler\/(plan|optimize)\//,
    why: 'the evaluator answers without plans, so that plans can be compared with it',
  },
  { from: /^values\/builtins\/lib\//, to: /^values\/builtins\/families\//, why: 'families stand on libraries' },
  { from: /^values\/(?!builtins\/)/, to: /^values\/builtins\//, why: 'values know no built-ins' },
  { from: /^ir-schema\//, to: /^values\/builtins\//, why: 'plans know built-ins by their names' },
  {
    from: /^engine\/bundle\//,
    to: /^(runtime|compiler|engine\/(?!bundle\/))/,
    why: 'bundles are read without an engine',
  },
  { from: /^engine\/query\//, to: /^engine\/(?!query\/)/, why: 'queries know no engine' },
  {
    from: /^views\/inspect\//,
    to: /^(engine|views\/(?!inspect\/))/,
    why: 'views of plans need no engine',
  },
  { from: /^server\/services\//, to: /^server\/(?!services\/)/, why: 'services know an engine only' },
  {
    from: /^server\/gateway\/(?!listeners\/)/,
    to: /^server\/(?!services\/|gateway\/(?!listeners\/))/,
    why: 'gateways are asked by the library, too',
  },
  {
    from: /^server\/storage\//,
    to: /^server\/(?!services\/|storage\/)/,
    why: 'the log of writes knows no routes',
  },
  {
    from: /^library\/(?!integrations\/)/,
    to: /^(server\/(?!services\/)|library\/integrations\/)/,
    why: 'the library needs no server',
  },
  {
    from: /^library\/modules\//,
    to: /^(views|server|library\/(?!modules\/))/,
    why: 'modules are compiled without an engine of the library',
  },
  {
    from: /^library\/(?!modules\/|integrations\/)/,
    to: /^library\/modules\//,
    why: 'an engine decides without modules',
  },
  { from: /^cli\/web\//, to: /^(server|cli\/(?!web\/))/, why: 'the page runs without a server and the command' },
  { from: /^cli\/dap\//, to: /^cli\/(?!dap\/)/, why: 'the command drives the adapter' },
  {
    from: portable,
    to: /^(server\/services\/|library\/services\/(?!attachment))/,
    except: nodeOnly,
    why: 'services need Node: library/index.ts loads them for an engine that has any',
  },
];

/** Types that cannot be told without each other, with the reason. */
const mutualTypes: ReadonlyMap<string, { readonly target: string; readonly why: string }> = new Map(
  ['set', 'object', 'hash', 'equal', 'rough-hash'].map((name) => [
    `values/${name}.ts`,
    { target: 'values/value.ts', why: 'a value is a collection of values' },
  ]),
);

/** Tests may import any file. */
const test = /\.test\.ts$/;
/** Packages that work on Node only. */
const nodePackages = ['@hono/node-server', 'modern-tar/fs'];

interface Import {
  readonly specifier: string;
  /** The time of loading: with the file, on demand (`later`), or never (types). */
  readonly time: 'load' | 'later' | 'never';
  readonly isStatement: boolean;
}

/**
 * Checks the sources against the table: imports of later folders, `node:` imports in files that
 * must load in a browser, and import cycles. Types count; `import()`s do not, for they load later.
 * @param sources file texts by path from the project's root; tests are skipped
 * @returns one sentence per violation, sorted
 */
export function checkLayers(sources: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  const loads = new Map<string, string[]>();
  const exported = readDoors((path) => sources.get(path) ?? '');
  for (const [path, source] of sources) {
    if (test.test(path)) continue;
    complaints.push(...pastDoors(path, source, sources));
    // The order holds for the files behind doors.
    const text = throughDoors(source, path, exported);
    if (placeOf(path) === undefined) {
      complaints.push(`${path}: its folder has no place in the tables of scripts/layers.ts`);
      continue;
    }
    const targets: string[] = [];
    for (const { specifier, time } of importsOf(text)) {
      if (!specifier.startsWith('.')) {
        const complaint = checkPackage(path, specifier);
        if (complaint) complaints.push(complaint);
        continue;
      }
      const target = fileOf(posix.join(dirname(path), specifier), sources);
      complaints.push(...checkImport(path, target));
      const isMutual = time === 'never' && mutualTypes.get(path)?.target === target;
      if (time !== 'later' && sources.has(target) && !isMutual) targets.push(target);
    }
    loads.set(path, targets);
  }
  return [...complaints.sort(), ...findCycles(loads)];
}

/** The rooms of the product. Tools, and what tests share, may import every file. */
export const rooms: readonly string[] = folders.filter((folder) => !['scripts', 'test', 'bench'].includes(folder));

/** Statements that import a file of another room. `import()` names the file that it loads. */
function pastDoors(path: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  const room = path.split('/')[0]!;
  if (!rooms.includes(room)) return [];
  return importsOf(text)
    .filter(({ specifier, isStatement }) => specifier.startsWith('.') && isStatement)
    .map(({ specifier }) => fileOf(posix.join(dirname(path), specifier), sources))
    .filter((target) => target.includes('/') && !target.startsWith(`${room}/`) && !doors.includes(target))
    .map((target) => `${path} imports ${target} past the door of its room: see scripts/doors.ts`);
}

/** The source that an import of a script means. */
function fileOf(script: string, sources: ReadonlyMap<string, string>): string {
  const [plain, withMarkup] = ['.ts', '.tsx'].map((ending) => script.replace(/\.js$/, ending)) as [string, string];
  return sources.has(withMarkup) ? withMarkup : plain;
}

function checkImport(path: string, target: string): string[] {
  // Files in the root folder, such as package.json, have no layer.
  if (!target.includes('/')) return [];
  // A door exports from all of its room.
  const isDoor = doors.includes(path) && (path.endsWith('/node.ts') || !nodeOnly.test(target));
  const ban = isDoor
    ? undefined
    : bans.find(({ from, to, except }) => from.test(path) && to.test(target) && !except?.test(path));
  if (ban) return [`${path} imports ${target}: ${ban.why}`];
  const from = placeOf(path)!;
  const to = placeOf(target);
  if (to === undefined)
    return [`${path} imports ${target}, whose folder has no place in the tables of scripts/layers.ts`];
  const isSame = from.folder === to.folder;
  const isAllowed = isSame ? to.stage <= from.stage : to.floor < from.floor;
  return isAllowed ? [] : [`${path} imports ${target}, against the order in scripts/layers.ts`];
}

function checkPackage(path: string, specifier: string): string | undefined {
  if (!portable.test(path) || nodeOnly.test(path)) return undefined;
  const isNode =
    specifier.startsWith('node:') || builtinModules.includes(specifier) || nodePackages.includes(specifier);
  return isNode ? `${path} imports ${specifier}: it must load in a browser; ask the host for it` : undefined;
}

interface Place {
  readonly folder: string;
  readonly floor: number;
  readonly stage: number;
}

/** Where a file stands; undefined when its folder is in no table. */
function placeOf(path: string): Place | undefined {
  const [folder, ...below] = dirname(path).split('/') as [string, ...string[]];
  const floor = floors.findIndex((names) => names.includes(folder));
  const stages = inside[folder];
  if (floor < 0) return undefined;
  if (stages === undefined) return { folder, floor, stage: 0 };
  // Files beside the stages join them.
  if (below.length === 0) return { folder, floor, stage: stages.length };
  // A stage may have stages of its own: the longest name counts.
  for (let length = below.length; length > 0; length--) {
    const stage = stages.findIndex((names) => names.includes(below.slice(0, length).join('/')));
    if (stage >= 0) return { folder, floor, stage };
  }
  return undefined;
}

/** Finds the import statements of a formatted file; each begins a line. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const statement =
    /^(?:import|export)\s+(type\s)?(?:(?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*from\s+)?'([^']+)'/gm;
  for (const [, type, specifier] of text.matchAll(statement))
    found.push({ specifier: specifier!, time: type ? 'never' : 'load', isStatement: true });
  for (const match of text.matchAll(/\b(typeof\s+)?import\(\s*'([^']+)'\s*\)/g)) {
    found.push({ specifier: match[2]!, time: match[1] ? 'never' : 'later', isStatement: false });
  }
  return found;
}

/** Visits the files depth first; a file that is visited again on the same path closes a cycle. */
function findCycles(loads: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    const start = way.indexOf(path);
    if (start >= 0) cycles.push(`a cycle of imports: ${[...way.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    way.push(path);
    for (const target of loads.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const path of [...loads.keys()].sort()) visit(path);
  return cycles;
}
