/** Changes of our modules for bundles that run in browsers. */
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { ownSources, sourceText } from './source-text.js';

/** The plugins of each bundle for browsers. */
export function browserPlugins(root: string): readonly Plugin[] {
  return [rowsOnDemand(root), withoutPacks, yamlReader(root), ownTexts];
}

/** The registry that loads a family of built-ins when a policy calls one of them. */
function rowsOnDemand(root: string): Plugin {
  const registry = join(root, 'values/builtins/registry.ts');
  return {
    name: 'rows-on-demand',
    resolveId: {
      filter: { id: /\/registry\.js$/ },
      async handler(source, importer, options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        return found?.id === registry ? join(root, 'values/builtins/web/registry-on-demand.ts') : found;
      },
    },
  };
}

/**
 * A message to a worker copies values, so a program is not packed for it: the value itself stands
 * for its bytes.
 */
const withoutPacks: Plugin = {
  name: 'without-packs',
  resolveId: { filter: { id: /^msgpackr\/pack$/ }, handler: () => '\0packs' },
  load: {
    filter: { id: /^\0packs$/ },
    handler: () => 'export class Packr { pack(value) { return value; } unpack(value) { return value; } }',
  },
};

/** js-yaml without its writer: it is one module, of which bundlers can leave out nothing. */
function yamlReader(root: string): Plugin {
  const from = (name: string) => `from ${JSON.stringify(join(root, 'node_modules/js-yaml/lib', name))};`;
  const classes = { FAILSAFE_SCHEMA: 'schema/failsafe', Schema: 'schema', Type: 'type', YAMLException: 'exception' };
  const parts = Object.entries(classes).map(([name, file]) => `export { default as ${name} } ${from(`${file}.js`)}`);
  return {
    name: 'yaml-reader',
    resolveId: { filter: { id: /^js-yaml$/ }, handler: () => '\0yaml' },
    load: {
      filter: { id: /^\0yaml$/ },
      handler: () => [`export { load, loadAll } ${from('loader.js')}`, ...parts].join('\n'),
    },
  };
}

/** As esbuild's plugin of that name. */
const ownTexts: Plugin = {
  name: 'own-texts',
  transform: { filter: { id: ownSources }, handler: (code, id) => sourceText(id, code) },
};
