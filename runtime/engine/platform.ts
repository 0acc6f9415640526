import type { Host } from '../builtins/host.js';
import type { Bundle } from '../bundle/bundle.js';

/** What an engine needs of where it runs. */
export interface Platform {
  readonly host: Host;
  /** Reads a bundle from where a text says: on Node a path or a `file://` URL. Absent where there is nothing to read from. */
  readonly readBundle?: (source: string) => Promise<Bundle>;
}

let platform: Platform = { host: {} };

/** An entry for a platform says what that has. */
export function usePlatform(given: Platform): void {
  platform = given;
}

export function currentPlatform(): Platform {
  return platform;
}
