import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Modules that Node has loaded by the time it runs a program. */
const loadedAtStart = new Set([
  'node:buffer',
  'node:events',
  'node:fs',
  'node:module',
  'node:path',
  'node:process',
  'node:url',
  'node:util',
]);

/**
 * Fetches Node's own modules by a call, and only when something of theirs is used. An import statement would load them at start, and read
 * every export to make its list of names, which loads parts that Node keeps for later: 2 ms for node:fs, 6 for node:crypto, 25 for
 * node:http, where a bare start takes 24.
 */
export const builtinsOnDemand: Plugin = {
  name: 'builtins-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:]/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      const name = path.startsWith('node:') ? path : `node:${path}`;
      if (kind === 'dynamic-import')
        return { errors: [{ text: `import ${name} by a statement: it is loaded when something of it is first used` }] };
      return { path: name, namespace: kind === 'require-call' ? 'required-builtin' : 'imported-builtin', sideEffects: false };
    });
    // CommonJS may use the module itself, as a class or a function.
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({ contents: `module.exports = ${fetch(path)};` }));
    onLoad({ filter: /.*/, namespace: 'imported-builtin' }, ({ path }) => {
      const exports: unknown = require(path);
      const names = Object.keys(exports as object).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default');
      const lazy = typeof exports === 'object' && !loadedAtStart.has(path);
      return { contents: lazy ? lazyModule(path, names) : eagerModule(path, names) };
    });
  },
};

function fetch(name: string): string {
  return `process.getBuiltinModule(${JSON.stringify(name)})`;
}

/** Each name fetches the module when it is first read. */
function lazyModule(path: string, names: readonly string[]): string {
  const getters = names.map((name) => `get ${name}() { return load().${name}; }`);
  return `let loaded; const load = () => (loaded ??= ${fetch(path)}); module.exports = { ${getters.join(', ')} };`;
}

/** Names that nobody imports fall away, unread. */
function eagerModule(path: string, names: readonly string[]): string {
  const exports = names.map((name) => `const $${name} = /* @__PURE__ */ (() => loaded.${name})(); export { $${name} as ${name} };`);
  return [`const loaded = ${fetch(path)};`, 'export default loaded;', ...exports].join('\n');
}
