/** For tests: a policy, a question and its explanation. */

import type { Json } from '../../../values/json/json.js';

export interface WhyCase {
  readonly title: string;
  /** The policy's rows; `package t` and an empty row stand before rows without a package. */
  readonly policy: readonly string[];
  readonly path: string;
  readonly input?: Json;
  readonly data?: { readonly [key: string]: Json };
  readonly depth?: number;
  readonly regoVersion?: 'v0';
  /** The rows of the explanation. */
  readonly text: readonly string[];
}

/** The module of a case, `t.rego`. */
export function moduleOf({ policy }: WhyCase): string {
  const own = policy.join('\n');
  return own.startsWith('package ') ? own : `package t\n\n${own}`;
}
