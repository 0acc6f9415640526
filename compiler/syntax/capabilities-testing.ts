/** Capabilities for tests. */

import type { SyntaxCapabilities } from './options.js';

/** With the keywords `and` and `or`, which no release has yet. */
export const experimental: SyntaxCapabilities = {
  future_keywords: ['and', 'contains', 'every', 'if', 'in', 'not', 'or'],
  features: ['keywords_in_refs', 'rego_v1', 'template_strings'],
};
