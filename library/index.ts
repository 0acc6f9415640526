/** The library on Node: `import { Engine } from 'writ'`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeNetwork } from '../builtins/host/network.js';
import { nodeHost } from '../builtins/host/node.js';
import type { Bundle } from '../bundle/bundle.js';
import { type DiskOptions, readBundle as readFromDisk } from '../bundle/disk/file-source.js';
import { readPolicyFile } from '../bundle/disk/policy-file.js';
import type { Platform } from '../engine/platform.js';
import { EngineError } from './engine-error.js';
import type { EngineOptions } from './engine-options.js';
import { LibraryEngine } from './library-engine.js';
import type { Source } from './sources/sources.js';

export type { DiskOptions } from '../bundle/disk/file-source.js';
export * from './door.js';

/**
 * Reads a bundle from a directory, a `.tar.gz` or a plan file. With `verification`, a bundle that
 * is not signed by one of the keys is refused. Rejects with a BundleError.
 * @example
 * const verification = { keys: { main: { key: pem } } };
 * const engine = await Engine.open([await readBundle('bundle.tar.gz', { verification })]);
 */
export function readBundle(source: string, options: DiskOptions = {}): Promise<Bundle> {
  return readFromDisk(source, { crypto: nodeHost.crypto, ...options });
}

const node: Platform = {
  host: nodeHost,
  openHost: () => ({ ...nodeHost, network: nodeNetwork() }),
  readBundle: (source) => readBundle(source),
  readPolicy: readPolicyFile,
  onWarning: (warning) => process.emitWarning(warning, 'WritWarning'),
  threads: async () => {
    const script = join(import.meta.dirname, 'evaluation-thread.js');
    if (!existsSync(script)) throw new EngineError('no_threads', unbundled);
    const [{ EvaluationPool }, { nodeThreads }] = await Promise.all([
      import('../engine/threads/pool.js'),
      import('../engine/threads/node-threads.js'),
    ]);
    return new EvaluationPool(nodeThreads(script));
  },
};

/** A bundler copies the library into another file, but not the script of its threads. */
const unbundled =
  'the script of threads is not beside the library, which a bundler has copied: leave the package out of the bundle ' +
  '(`external` in esbuild, Rollup and Vite, `serverExternalPackages` in Next), or decide without a thread';

/** Policies and data, ready to decide, on Node. */
export class Engine<Input = unknown> extends LibraryEngine<Input> {
  /** See `LibraryEngine.open`. */
  static override async open<Input = unknown>(
    sources: Source | readonly Source[],
    options: EngineOptions<Input> = {},
  ): Promise<Engine<Input>> {
    // biome-ignore lint/complexity/noThisInStatic: it makes an instance of the class that is asked
    return (await super.open(sources, options.platform === undefined ? { ...options, platform: node } : options)) as Engine<Input>;
  }
}
