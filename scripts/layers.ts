import { builtinModules } from 'node:module';
import { dirname, posix } from 'node:path';

/**
 * The folders in import order: a file may import from its own folder and from folders above it in
 * this table. Folders of one row may import each other. A file belongs to the longest folder that
 * contains it, so `compiler` and `runtime` below mean the files directly in them.
 */
export const layers: readonly (readonly string[])[] = [
  // Values, texts with positions, and diagnostics: all other folders use them.
  ['runtime/values'],
  ['compiler/source'],
  ['compiler/diagnostics'],
  // The compiler uses the built-ins' declarations and the plan format, so both come before it. They
  // do not depend on the syntax tree: a built-in that needs the parser gets it from its context.
  // This folder holds the declarations of built-ins, their families, and the libraries of these.
  ['runtime/builtins'],
  ['ir-schema'],
  // The compiler, in the order of its pipeline. Stages of resolving, rewriting and checking
  // alternate.
  ['compiler/ast'],
  ['compiler/syntax'],
  ['compiler/resolve', 'compiler/rewrite', 'compiler/check'],
  // Hints for errors look at modules and at the names of built-ins.
  ['compiler/hints'],
  // The formatter reports modules that the checks of version 1 reject.
  ['compiler/format'],
  // The rule index, for plans and for the evaluator.
  ['compiler/rule-index'],
  ['compiler/plan'],
  ['compiler/optimize'],
  ['compiler'],
  // The runtime, in the order from plan to decision.
  ['runtime/evaluation'],
  ['runtime/operations'],
  // Evaluation of queries on checked syntax trees, with the runtime's values, built-ins and limits.
  ['query'],
  ['runtime/lowering'],
  ['runtime/bytecode'],
  ['runtime/vm'],
  ['runtime/codegen'],
  ['runtime/store'],
  ['runtime/bundle'],
  ['runtime/host'],
  // Only the engine needs both the compiler and the runtime.
  ['engine'],
  ['server'],
  ['cli', 'web'],
  // Tools and what several tests share may import everything, and nothing else imports them.
  ['scripts', 'bench', 'test'],
];

/** Files that must load in a browser, except those with access to Node. */
const portable = /^(compiler|query|ir-schema|runtime|engine|web)\//;

/** The exceptions. */
const nodeOnly = /^(runtime\/(host\/|bundle\/disk\/)|engine\/(threads\/|(index|evaluation-thread)\.ts$))/;

interface Ban {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly except?: RegExp;
  readonly why: string;
}

/** Imports that the order alone would allow. */
const bans: readonly Ban[] = [
  {
    from: /^runtime\/(?!values\/|builtins\/)/,
    to: /^compiler\/(?!source\/|diagnostics\/)/,
    why: 'only plans reach the machine: it knows no syntax tree and no compiler',
  },
  {
    from: portable,
    to: /^runtime\/host\//,
    except: /^(runtime\/host\/|engine\/(threads\/|index\.ts$))/,
    why: 'a host is chosen by whoever starts an engine, so that the rest runs in a browser too',
  },
  {
    from: portable,
    to: /^runtime\/bundle\/disk\//,
    except: nodeOnly,
    why: "they read from disk, so they are for the library's door and the commands",
  },
  {
    from: portable,
    to: /^engine\/threads\//,
    except: /^engine\/(threads\/|(index|evaluation-thread)\.ts$)/,
    why: "threads are Node's: an engine is given them by whoever starts it",
  },
  {
    from: /^test\/oracle\//,
    to: /^(?!test\/oracle\/|compiler\/(ast|syntax|source|diagnostics)\/|runtime\/(values|builtins)\/)/,
    why: 'the oracle shares no code with the stages and machines that it checks',
  },
  {
    from: /^query\//,
    to: /^compiler\/(plan|optimize)\//,
    why: 'the evaluator answers without plans, so that plans can be compared with it',
  },
  { from: /^runtime\/builtins\/lib\//, to: /^runtime\/builtins\/families\//, why: 'families stand on libraries' },
  { from: /^web\//, to: /^(server|cli)\//, why: 'the page runs without a server' },
];

/** Types that cannot be told without each other, with the reason. */
const mutualTypes: ReadonlyMap<string, { readonly target: string; readonly why: string }> = new Map(
  ['set', 'object', 'hash', 'equal', 'rough-hash'].map((name) => [
    `runtime/values/${name}.ts`,
    { target: 'runtime/values/value.ts', why: 'a value is a collection of values' },
  ]),
);

/** Tests, and files that only tests import. */
const test = /(\.test|\/testing|-testing)\.ts$/;
/** Packages that work on Node only. */
const nodePackages = ['@hono/node-server', 'modern-tar/fs'];

interface Import {
  readonly specifier: string;
  /** The time of loading: with the file, on demand (`later`), or never (types). */
  readonly time: 'load' | 'later' | 'never';
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
  for (const [path, text] of sources) {
    if (test.test(path)) continue;
    const layer = layerOf(path);
    if (layer === undefined) {
      complaints.push(`${path}: its folder has no place in the table of scripts/layers.ts`);
      continue;
    }
    const targets: string[] = [];
    for (const { specifier, time } of importsOf(text)) {
      if (!specifier.startsWith('.')) {
        const complaint = checkPackage(path, specifier);
        if (complaint) complaints.push(complaint);
        continue;
      }
      const target = posix.join(dirname(path), specifier).replace(/\.js$/, '.ts');
      complaints.push(...checkImport(path, target));
      const isMutual = time === 'never' && mutualTypes.get(path)?.target === target;
      if (time !== 'later' && sources.has(target) && !isMutual) targets.push(target);
    }
    loads.set(path, targets);
  }
  return [...complaints.sort(), ...findCycles(loads)];
}

function checkImport(path: string, target: string): string[] {
  // Files in the root folder, such as package.json, have no layer.
  if (!target.includes('/')) return [];
  const ban = bans.find(({ from, to, except }) => from.test(path) && to.test(target) && !except?.test(path));
  if (ban) return [`${path} imports ${target}: ${ban.why}`];
  const to = layerOf(target);
  if (to === undefined) return [`${path} imports ${target}, whose folder has no place in the table of scripts/layers.ts`];
  const from = layerOf(path)!;
  return to > from ? [`${path} imports ${target}: ${layers[to]!.join(', ')} stands after ${layers[from]!.join(', ')}`] : [];
}

function checkPackage(path: string, specifier: string): string | undefined {
  if (!portable.test(path) || nodeOnly.test(path)) return undefined;
  const isNode = specifier.startsWith('node:') || builtinModules.includes(specifier) || nodePackages.includes(specifier);
  return isNode ? `${path} imports ${specifier}: it must load in a browser; ask the host for it` : undefined;
}

/** The row of the longest folder in the table that contains a file. */
function layerOf(path: string): number | undefined {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const row = layers.findIndex((folders) => folders.includes(folder));
    if (row >= 0) return row;
    // A new folder of the compiler or the runtime must be added to the table; it does not count as
    // part of the last row.
    if (folder.split('/').length === 2 && /^(compiler|runtime)\//.test(folder)) return undefined;
  }
  return undefined;
}

/** Finds the import statements of a formatted file; each begins a line. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s)?(?:(?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*from\s+)?'([^']+)'/gm;
  for (const [, type, specifier] of text.matchAll(statement)) found.push({ specifier: specifier!, time: type ? 'never' : 'load' });
  for (const match of text.matchAll(/\b(typeof\s+)?import\(\s*'([^']+)'\s*\)/g)) {
    found.push({ specifier: match[2]!, time: match[1] ? 'never' : 'later' });
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
