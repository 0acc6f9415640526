import { builtinModules } from 'node:module';
import { dirname, posix } from 'node:path';

/**
 * The folders in the order in which they may import: a file reads its own folder and those above it in this table. Folders of one row may
 * read each other. A file belongs to the longest folder that holds it, so `compiler` and `runtime` below mean the files directly in them.
 */
export const layers: readonly (readonly string[])[] = [
  // Values, texts with positions, and diagnostics: everything speaks of them.
  ['runtime/values'],
  ['compiler/source'],
  ['compiler/diagnostics'],
  // The compiler knows the built-ins' declarations and the plan format, so both stand before it.
  // Neither knows a syntax tree: a built-in that needs the parser gets it through its context.
  // How built-ins are declared, their families, and the libraries that these stand on.
  ['runtime/builtins'],
  ['ir-schema'],
  // The compiler, along the arrows of its pipeline. Resolving, rewriting and checking take turns.
  ['compiler/ast'],
  ['compiler/syntax'],
  ['compiler/resolve', 'compiler/rewrite', 'compiler/check'],
  // The formatter refuses what the checks of version 1 refuse.
  ['compiler/format'],
  ['compiler/plan'],
  ['compiler/optimize'],
  ['compiler'],
  // Queries answered from syntax trees, without plans.
  ['query'],
  // The runtime, along the arrows from plan to decision.
  ['runtime/evaluation'],
  ['runtime/operations'],
  ['runtime/lowering'],
  ['runtime/bytecode'],
  ['runtime/vm'],
  ['runtime/codegen'],
  ['runtime/store'],
  ['runtime/bundle'],
  ['runtime/host'],
  // The engine alone needs both the compiler and the runtime.
  ['engine'],
  ['server'],
  ['cli', 'web'],
  // Tools may read everything, and nothing reads them.
  ['scripts', 'bench'],
];

/** Files that must load in a browser, but for those that exist to meet Node. */
const portable = /^(compiler|query|ir-schema|runtime|engine|web)\//;

/** Those that do. */
const meetsNode = /^(runtime\/(host\/|bundle\/disk\/)|engine\/(threads\/|(index|evaluation-thread)\.ts$))/;

interface Ban {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly except?: RegExp;
  readonly why: string;
}

/** What the order alone would let through. */
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
    except: meetsNode,
    why: "they read from disk, so they are for the library's door and the commands",
  },
  {
    from: portable,
    to: /^engine\/threads\//,
    except: /^engine\/(threads\/|(index|evaluation-thread)\.ts$)/,
    why: "threads are Node's: an engine is given them by whoever starts it",
  },
  {
    from: /^query\//,
    to: /^compiler\/(resolve|rewrite|check|plan|optimize)\//,
    why: 'what plans are held against shares nothing with the way to them',
  },
  { from: /^runtime\/builtins\/lib\//, to: /^runtime\/builtins\/families\//, why: 'families stand on libraries' },
  { from: /^web\//, to: /^(server|cli)\//, why: 'the page runs without a server' },
];

/** Tests, and what only tests import. */
const test = /(\.test|\/testing|-testing)\.ts$/;
/** Packages that are of use on Node alone. */
const nodePackages = ['@hono/node-server', 'modern-tar/fs'];

interface Import {
  readonly specifier: string;
  /** How it is fetched: with the file, when asked for, or never (types). */
  readonly time: 'load' | 'later' | 'never';
}

/**
 * Holds the sources against the table: imports that go up, `node:` imports in files that must load in a browser, and circles of files that
 * load each other. Types count for the order of layers, but not for circles, for they are gone when the code runs; neither do `import()`s.
 * @param sources file texts by path from the project's root; tests are passed over
 * @returns one sentence a violation, sorted
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
      if (time === 'load' && sources.has(target)) targets.push(target);
    }
    loads.set(path, targets);
  }
  return [...complaints.sort(), ...findCircles(loads)];
}

function checkImport(path: string, target: string): string[] {
  // package.json and the like have no layer.
  if (!target.includes('/')) return [];
  const ban = bans.find(({ from, to, except }) => from.test(path) && to.test(target) && !except?.test(path));
  if (ban) return [`${path} imports ${target}: ${ban.why}`];
  const to = layerOf(target);
  if (to === undefined) return [`${path} imports ${target}, whose folder has no place in the table of scripts/layers.ts`];
  const from = layerOf(path)!;
  return to > from ? [`${path} imports ${target}: ${layers[to]!.join(', ')} stands after ${layers[from]!.join(', ')}`] : [];
}

function checkPackage(path: string, specifier: string): string | undefined {
  if (!portable.test(path) || meetsNode.test(path)) return undefined;
  const isNode = specifier.startsWith('node:') || builtinModules.includes(specifier) || nodePackages.includes(specifier);
  return isNode ? `${path} imports ${specifier}: it must load in a browser; ask the host for it` : undefined;
}

/** The row of the longest folder in the table that holds a file. */
function layerOf(path: string): number | undefined {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const row = layers.findIndex((folders) => folders.includes(folder));
    if (row >= 0) return row;
    // A new folder of the compiler or the runtime has to be given a place, rather than pass for the last one.
    if (folder.split('/').length === 2 && /^(compiler|runtime)\//.test(folder)) return undefined;
  }
  return undefined;
}

/** Reads the import statements of a formatted file; each begins a line. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s)?(?:(?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*from\s+)?'([^']+)'/gm;
  for (const [, type, specifier] of text.matchAll(statement)) found.push({ specifier: specifier!, time: type ? 'never' : 'load' });
  for (const match of text.matchAll(/\b(typeof\s+)?import\(\s*'([^']+)'\s*\)/g)) {
    found.push({ specifier: match[2]!, time: match[1] ? 'never' : 'later' });
  }
  return found;
}

/** Walks the files depth first; a file met again on the way down closes a circle. */
function findCircles(loads: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push(`a circle of imports: ${[...way.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    way.push(path);
    for (const target of loads.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const path of [...loads.keys()].sort()) visit(path);
  return circles;
}
