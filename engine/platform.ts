import type { Host } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import type { VerificationConfig } from './bundle/signature/token.js';
import type { LongEvaluations } from './evaluation/long-evaluations.js';

/** The parts of a platform that an engine uses. */
export interface Platform {
  readonly host: Host;
  /**
   * A host with connections of its own, which are an engine's to close; without, engines share
   * `host`.
   */
  readonly openHost?: () => Host;
  /** Reads a bundle: on Node from a path or a `file://` URL. Absent on platforms without files. */
  readonly readBundle?: (source: string, options?: ReadBundleOptions) => Promise<Bundle>;
  /** The bundle of the bytes of an archive or a plan. */
  readonly readBytes?: (bytes: Uint8Array, options?: ReadBundleOptions) => Promise<Bundle>;
  /**
   * Calls back when files at paths or `file://` URLs have changed, until the returned function is
   * called. Absent on platforms without files.
   */
  readonly watchFiles?: (sources: readonly string[], onChange: () => void) => () => void;
  /**
   * Reads the text of a policy or of a document, in the same way; the name is for messages.
   * Undefined for a directory.
   */
  readonly readPolicy?: (source: string) => Promise<{ readonly name: string; readonly text: string } | undefined>;
  /** Whether the process ends after a few decisions: plans are walked where that is short. */
  readonly endsSoon?: boolean;
  /** Called for a plan with members that are not known, and for paths that nothing answers. */
  readonly onWarning?: (warning: string) => void;
  /** Whether mistakes of the program are told of. */
  readonly isDevelopment?: () => boolean;
  /**
   * Loads the built-ins of some names, or all, before they are first looked up. Absent where they
   * are there.
   */
  readonly loadBuiltins?: (names?: ReadonlySet<string>) => Promise<void>;
  /** Threads that an engine may have for itself, started when they are first used. */
  readonly threads?: () => Promise<Threads>;
}

export interface ReadBundleOptions {
  /** The keys of bundles: with any, a bundle that none of them signed is refused. */
  readonly verification?: VerificationConfig | undefined;
  /** Shell patterns of names of files and directories to leave out. */
  readonly ignore?: readonly string[];
}

export interface Threads extends LongEvaluations {
  close(): Promise<void>;
}
