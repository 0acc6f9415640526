/** The policies of a bundle, parsed. */

import type { Module } from '../../compiler/index.js';
import type { Bundle } from '../../engine/index.js';
import { parseBundle, parseLoose } from '../load-policies.js';

/** The modules of a bundle, or of a policy alone. Throws an Error for one that does not parse. */
export function parsedModules(path: string, bundle: Bundle, fallbackVersion: 0 | 1): readonly Module[] {
  const version = fallbackVersion === 1 ? 'v1' : 'v0';
  if (path.endsWith('.rego')) return parseLoose(bundle.modules, { version }).map(({ module }) => module);
  return parseBundle(path, bundle, { version }).map(({ module }) => module);
}
