/** The options of `readBundle`. */
import { checkOptionTypes, type OptionTypes } from '../../runtime/index.js';
import { EngineError } from '../errors/engine-error.js';
import type { WebBundleOptions } from './web-bundles.js';

/** The options of every platform. */
export const webBundleOptions: OptionTypes<WebBundleOptions> = {
  verification: 'object',
  limits: 'object',
  headers: 'object',
  signal: 'object',
};

/**
 * Throws an EngineError for an unknown option, or a value that it cannot have: keys that stand in
 * another place must not mean that nothing is verified.
 */
export function checkBundleOptions<Options extends object>(options: Options, types: OptionTypes<Options>): void {
  checkOptionTypes(options, types, (message) => new EngineError('invalid_option', message));
}
