/** Collections on request. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type Collect = (options: {
  readonly type: 'major' | 'minor';
  readonly execution: 'async' | 'sync';
}) => Promise<void> | undefined;

/** V8's function that collects garbage, which a flag makes available. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
