/** The bundles that the command line of `exec` names. */

import type { Bundle, Engine, VerificationConfig } from '../../engine/index.js';
import { fetchBundle } from '../../engine/index.js';
import { FileSource } from '../../engine/node.js';
import { nodeHost } from '../../values/node.js';
import type { Loggers } from './configuration.js';

/**
 * Activates bundles, which their paths name: all of them or none. Rejects with a BundleError or
 * CompileErrors.
 */
export async function activateBundles(
  paths: readonly string[],
  engine: Engine,
  verification: VerificationConfig | undefined,
  loggers: Pick<Loggers, 'logger'>,
): Promise<void> {
  if (paths.length === 0) return;
  const sources = new Map(paths.map((path) => [path, new FileSource(path, { crypto: nodeHost.crypto, verification })]));
  const bundles = new Map<string, Bundle>();
  for (const [path, source] of sources) bundles.set(path, await fetchBundle(source));
  await engine.commit({ bundles, bundlesTransferred: true }, { ignoreRoots: true });
  for (const [path, bundle] of bundles) if (bundle.wasm.length > 0) await warnOf(path, bundle, loggers);
}

async function warnOf(path: string, bundle: Bundle, { logger }: Pick<Loggers, 'logger'>): Promise<void> {
  const { warnOfWasm } = await import('../../server/services/bundle/activation.js');
  warnOfWasm(path, bundle, await logger());
}
