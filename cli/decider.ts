/** Decisions of bundles: of their policies, or of plans where there is nothing else. */

import { readBundle } from '../runtime/bundle/disk.js';
import { LiveEngine } from '../runtime/engine/live-engine.js';
import { nodeHost } from '../runtime/host/node.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import type { EvaluationOptions } from '../runtime/vm/evaluation.js';
import { languageVersion } from './compile-flags.js';
import type { FlagValues } from './flags.js';
import type { Io } from './io.js';

/** The document at a path for an input; undefined where there is none. Rejects with an EvaluationError. */
export type Decider = (path: string, input: Value, options: EvaluationOptions) => Promise<Value | undefined>;

/** Activates what `--bundle` names. Rejects with a BundleError or CompileErrors. */
export async function decider(flags: FlagValues, io: Io): Promise<Decider> {
  const paths = flags.all('bundle');
  const bundles = await Promise.all(paths.map(async (path, i) => [`~${i}`, await readBundle(path)] as const));
  const engine = new LiveEngine({
    platform: { host: nodeHost, environment: () => ({ ...io.env }) as PlainObject },
    language: languageVersion(flags) === 'v1' ? 'v1' : 'v0',
  });
  await engine.commit({ bundles: new Map(bundles) });
  const onPrint = (line: string) => io.stderr(`${line}\n`);
  return (path, input, options) => engine.decide(path.split('/'), input, { ...options, onPrint }, ({ value }) => value);
}
