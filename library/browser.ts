/**
 * The library in browsers, workers and edge runtimes: `import { Engine } from 'writ/browser'`. It
 * starts with a part of the code, and loads the rest when it is first needed.
 */

import type { Bundle, Platform } from '../engine/index.js';
import type { EngineOptions } from './engine-options.js';
import { LibraryEngine } from './library-engine.js';
import type { Source } from './sources/sources.js';
import type { WebBundleOptions } from './sources/web-bundles.js';
import { webPlatform } from './web/web-platform.js';

export * from './door.js';
export type { WebBundleOptions } from './sources/web-bundles.js';

/**
 * Reads a bundle from the address or the bytes of a `.tar.gz` or a plan. With `verification`, a
 * bundle that is not signed by one of the keys is refused. Rejects with a BundleError, or with an
 * EngineError for an unknown option.
 * @example
 * const engine = await Engine.open([await readBundle('/bundles/authz.tar.gz')]);
 */
export async function readBundle(source: string | URL | Uint8Array, options: WebBundleOptions = {}): Promise<Bundle> {
  const [{ readWebBundle }, { checkBundleOptions, webBundleOptions }] = await Promise.all([
    import('./sources/web-bundles.js'),
    import('./sources/bundle-options.js'),
  ]);
  checkBundleOptions(options, webBundleOptions);
  return await readWebBundle(source, options);
}

const platform: Platform = {
  ...webPlatform,
  threads: async () => (await import('./web/web-threads.js')).openWebThreads(),
};

/** Policies and data, ready to decide, in a browser. */
export class Engine<Input = unknown> extends LibraryEngine<Input> {
  /** See `LibraryEngine.open`. */
  static override async open<Input = unknown>(
    sources: Source | readonly Source[],
    options: EngineOptions<Input> = {},
  ): Promise<Engine<Input>> {
    // biome-ignore lint/complexity/noThisInStatic: it makes an instance of the class that is asked
    return (await super.open(
      sources,
      options.platform === undefined ? { ...options, platform } : options,
    )) as Engine<Input>;
  }
}
