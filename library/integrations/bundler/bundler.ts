/**
 * The package's entry `writ/bundler`: imports of policies for Vite, Rollup, Rolldown, webpack,
 * Rspack, esbuild and Bun.
 */
import { createUnplugin } from 'unplugin';
import type { RegoOptions } from './options.js';
import { plugin } from './plugin.js';

export { type RegoOptions, RegoOptionsError } from './options.js';

/** A plugin of Vite, Rollup or Rolldown. */
export interface RollupPlugin {
  name: string;
}

/** A plugin of esbuild or Bun. */
export interface EsbuildPlugin {
  name: string;
  setup(build: object): void | Promise<void>;
}

/** A plugin of webpack or Rspack. */
export interface WebpackPlugin {
  apply(compiler: object): void;
}

/**
 * The plugin for each bundler. Without options it takes those of the member `writ` of the project's
 * package.json.
 * @example
 * // vite.config.ts
 * import rego from 'writ/bundler';
 * export default { plugins: [rego.vite({ data: 'data/' })] };
 */
export interface RegoPlugins {
  readonly vite: (options?: RegoOptions) => RollupPlugin;
  readonly rollup: (options?: RegoOptions) => RollupPlugin;
  readonly rolldown: (options?: RegoOptions) => RollupPlugin;
  readonly webpack: (options?: RegoOptions) => WebpackPlugin;
  readonly rspack: (options?: RegoOptions) => WebpackPlugin;
  readonly esbuild: (options?: RegoOptions) => EsbuildPlugin;
  readonly bun: (options?: RegoOptions) => EsbuildPlugin;
}

const plugins: RegoPlugins = createUnplugin<RegoOptions | undefined, false>(plugin);

export const { vite, rollup, rolldown, webpack, rspack, esbuild, bun } = plugins;
// Beside the names: where Node imports this file, which is CommonJS, all of its exports are the
// default; where other tools do, `default` is.
export default plugins;
