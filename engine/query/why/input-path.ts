/** Paths of the input as texts. */

import { toJson, type Value } from '../../../values/index.js';

/** Keys below the input. */
export type InputPath = readonly Value[];

/** `input.spec.containers[0]["a-b"]`, as a policy writes it. */
export function inputPathText(path: InputPath): string {
  return `input${path.map((key) => (typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${toJson(key)}]`)).join('')}`;
}
