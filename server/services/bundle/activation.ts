/** Makes fetched bundles the active ones. */

import { type Bundle, type Engine, Metrics, timers } from '../../../engine/index.js';
import type { PlainObject } from '../../../values/index.js';
import type { PluginContext, PluginLogger } from '../plugin.js';

type Bundles = ReadonlyMap<string, Bundle>;

interface Outcome {
  /** The names of activated bundles, with the metrics of their activation. */
  readonly activated: ReadonlyMap<string, PlainObject>;
  /** The names of bundles that cannot be activated, with the error. */
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * Activates all bundles together first, as one may need another. If that fails, it activates each
 * on its own, and repeats that while some succeed, so that a faulty bundle keeps no other out.
 */
export async function activateEach(bundles: Bundles, { engine, checkPolicies }: PluginContext): Promise<Outcome> {
  const activated = new Map<string, PlainObject>();
  let failed = new Map<string, unknown>();
  const tryTo = async (part: Bundles): Promise<void> => {
    try {
      const metrics = await activateTogether(part, engine, checkPolicies);
      for (const name of part.keys()) activated.set(name, metrics);
    } catch (error) {
      for (const name of part.keys()) failed.set(name, error);
    }
  };
  await tryTo(bundles);
  for (let before = failed.size + 1; bundles.size > 1 && failed.size > 0 && failed.size < before; ) {
    before = failed.size;
    const open = [...bundles].filter(([name]) => failed.has(name));
    failed = new Map();
    for (const one of open) await tryTo(new Map([one]));
  }
  return { activated, failed };
}

/** Activates all bundles in one commit and returns its metrics. Rejects with the commit's error. */
export async function activateTogether(
  bundles: Bundles,
  engine: Engine,
  check?: PluginContext['checkPolicies'],
): Promise<PlainObject> {
  const metrics = new Metrics();
  const started = performance.now();
  await engine.commit({ bundles, bundlesTransferred: true }, { ignoreRoots: true, metrics, check });
  metrics.since(timers.loadBundles, started);
  // As in the reference, the compiler's stages are not among them.
  const measured = Object.entries(metrics.toJson()).filter(([timer]) => timer.startsWith('timer_rego_'));
  // Policies that are the same as before are neither parsed nor compiled.
  return { [timers.moduleParse]: 0, [timers.moduleCompile]: 0, ...Object.fromEntries(measured) };
}

/** Logs the parts of a bundle that have no effect. */
export function warnOfWasm(name: string, { wasm }: Bundle, logger: PluginLogger): void {
  if (wasm.length === 0) return;
  const files = wasm.map(({ path }) => path);
  logger.warn('WebAssembly is not run: policies and plans of the bundle answer alone.', {
    name,
    plugin: 'bundle',
    files,
  });
}
