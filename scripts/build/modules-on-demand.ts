import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Modules that few runs of a command need, by their paths. Loading a module takes time even if all
 * its functions are in V8's code cache: a millisecond for 100 kB of cache.
 */
const onDemand: readonly RegExp[] = [
  /^runtime\/builtins\/lib\/(?:glob|graphql|http|ip|json-schema|jwt|regex|template|time|url|x509)\//,
  /^runtime\/bytecode\/pack\.ts$/,
  /^ir-schema\/validate\.ts$/,
  /^compiler\/hints\/hints\.ts$/,
  /^node_modules\/js-yaml\//,
];

const marker = '__loadNow';

/**
 * Loads a module at the first use of an export, though it is imported by a statement. A function
 * that is exported may be handed on without loading it. The bundle must be split into chunks, and
 * its text go through `requireOnDemand`.
 */
export function modulesOnDemand(root: string): Plugin {
  return {
    name: 'modules-on-demand',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^[.a-z]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'import-statement' || pluginData === marker || /^node:/.test(path)) return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: marker });
        const place = relative(root, found.path);
        const isNear = dirname(found.path) === dirname(importer);
        if (found.namespace !== 'file' || isNear || !onDemand.some((pattern) => pattern.test(place))) return undefined;
        // Another extension, since that of an ES module forbids CommonJS.
        return { path: `${found.path}.cjs`, namespace: 'on-demand', sideEffects: false, pluginData: found.path };
      });
      onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ pluginData: path }) => ({ contents: stub(path), resolveDir: dirname(path) }));
    },
  };
}

/** Replaces the loads in the text of a chunk, an ES module, by calls of `require`. */
export function requireOnDemand(text: string): string {
  return text.replaceAll(new RegExp(`${marker}\\(\\s*import\\(("[^"]*")\\)\\s*\\)`, 'g'), 'require($1)');
}

function stub(path: string): string {
  const { functions, others } = exportsOf(path);
  const members = [
    ...functions.map((name) => `${name}: (...operands) => load().${name}(...operands)`),
    ...others.map((name) => `get ${name}() { return load().${name}; }`),
  ];
  return `let loaded;
const load = () => (loaded ??= ${marker}(import(${JSON.stringify(path)})));
module.exports = { __esModule: true, ${members.join(', ')} };`;
}

interface Exports {
  readonly functions: readonly string[];
  /** Classes and constants. */
  readonly others: readonly string[];
}

function exportsOf(path: string): Exports {
  if (!path.endsWith('.ts')) return { functions: [], others: [...new Set(['default', ...Object.keys(require(path) as object)])] };
  const text = readFileSync(path, 'utf8');
  const names = (kinds: string) => [...text.matchAll(new RegExp(`^export (?:${kinds}) (\\w+)`, 'gm'))].map(([, name]) => name!);
  if (/^export (?:default|\*|\{)/m.test(text)) throw new Error(`${path} has exports that cannot be loaded on demand`);
  return { functions: names('async function|function|function\\*'), others: names('class|abstract class|const|let') };
}
