/** The package's entry `writ/vitest`: tests import policies. */
import { type RollupPlugin, vite } from '../bundler/bundler.js';
import type { RegoOptions } from '../bundler/options.js';

export type { RollupPlugin } from '../bundler/bundler.js';
export type { RegoOptions } from '../bundler/options.js';

/**
 * The plugin for tests: the options are those of `writ/bundler`, and by default the member `writ`
 * of the project's package.json.
 * @example
 * // vitest.config.ts
 * import { rego } from 'writ/vitest';
 * export default { plugins: [rego()] };
 */
export function rego(options?: RegoOptions): RollupPlugin {
  return vite(options);
}
