/**
 * Loose policies and documents that `run` serves: loaded into an engine, and again when they
 * change.
 */

import type { Change, Engine } from '../../../engine/index.js';
import { type Bundle, emptyBundle, emptyManifest, policyId, SerialQueue } from '../../../engine/index.js';
import { FileWatch, filePlaces, type LoadedFiles, loadFiles } from '../../../engine/node.js';
import type { DataOperation } from '../../../runtime/index.js';
import type { PluginLogger } from '../plugin.js';

export class LooseFiles {
  readonly #paths: readonly string[];
  readonly #ignore: readonly string[];
  readonly #engine: Engine;
  #loaded: LoadedFiles = { data: {}, modules: [], plans: [], wasm: [] };
  #watch: FileWatch | undefined;
  readonly #loads = new SerialQueue();

  /** @param paths files, directories and archives, each with a prefix (`a.b:path`) or without */
  constructor(paths: readonly string[], ignore: readonly string[], engine: Engine) {
    this.#paths = paths;
    this.#ignore = ignore;
    this.#engine = engine;
  }

  /**
   * Replaces the former content of the files, but for what bundles own by now. Rejects with a
   * LoadError or CompileErrors.
   */
  load(): Promise<void> {
    return this.#loads.run(() => this.#load());
  }

  async #load(): Promise<void> {
    const next = await loadFiles(this.#paths, this.#ignore);
    if (next.wasm.length > 0) await checkWasm(next);
    await this.#engine.commit(() => changeBetween(this.#loaded, next, this.#engine), {
      skipsRoots: true,
      ignoreRoots: true,
    });
    this.#loaded = next;
  }

  /** Loads whenever files change. A failure leaves everything as it is and is logged. */
  watch(logger: PluginLogger): void {
    this.#watch ??= new FileWatch(filePlaces(this.#paths), () => {
      this.load().then(
        () => logger.info('Reloaded files.'),
        (error: Error) => logger.error(`Reloading files failed: ${error.message}`),
      );
    });
  }

  stop(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}

/** Rejects with a BundleError where rules are in WebAssembly alone. */
async function checkWasm({ wasm, modules }: LoadedFiles): Promise<void> {
  const [{ checkWasmRules }, { parseModule }] = await Promise.all([
    import('../../../engine/policies/bundles/wasm-check.js'),
    import('../../../compiler/syntax/parse.js'),
  ]);
  const version = (given: 0 | 1 | undefined) => (given === 0 ? 'v0' : 'v1');
  checkWasmRules(
    wasm,
    modules.map(({ path, text, regoVersion }) => parseModule(path, text, { regoVersion: version(regoVersion) })),
  );
}

function changeBetween(before: LoadedFiles, next: LoadedFiles, engine: Engine): Change {
  const policies = new Map<string, string | undefined>();
  const files = new Map<string, string>();
  for (const { path } of before.modules) {
    const id = policyId(path);
    // A client may have deleted the policy.
    if (engine.policy(id) !== undefined) policies.set(id, undefined);
  }
  for (const { path, text } of next.modules) {
    policies.set(policyId(path), text);
    files.set(policyId(path), path);
  }
  // A bundle that had the document may be gone with it.
  const gone = Object.keys(before.data).filter(
    (key) => !Object.hasOwn(next.data, key) && engine.readData([key]) !== undefined,
  );
  const data: DataOperation[] = [
    ...gone.map((key): DataOperation => ({ op: 'remove', path: [key] })),
    ...Object.entries(next.data).map(
      ([key, value]): DataOperation => ({ op: 'write', path: [key], value, transferred: true }),
    ),
  ];
  const plans = new Map<string, Bundle | undefined>(before.plans.map(({ path }) => [path, undefined]));
  for (const plan of next.plans) plans.set(plan.path, planBundle(plan));
  return { policies, files, data, ...(plans.size > 0 && { bundles: plans }) };
}

/** The bundle of a plan that has none. It owns no documents. */
function planBundle(plan: LoadedFiles['plans'][number]): Bundle {
  return { ...emptyBundle, manifest: { ...emptyManifest, roots: [] }, plans: [plan] };
}
