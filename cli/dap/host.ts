/** The functions of its program that the adapter needs. */
import type { DebugSession, Launch, SessionOptions } from '../../views/index.js';

/** A request of a server that waits for its debugger. */
export interface HeldRequest {
  /** `POST authz/allow` */
  readonly name: string;
  /** Loads the policies, the data and the input of the request. */
  open(options: SessionOptions): Promise<DebugSession>;
  /** Lets the request go on. */
  release(): void;
}

/** The requests that are held. */
export interface HoldFilter {
  /** The document that is asked for, or one above it: `authz/allow`; undefined: any. */
  readonly path: string | undefined;
  /** A query over the input that must have a solution. */
  readonly condition: string | undefined;
}

/** A server whose requests can be held. */
export interface RequestHolder {
  /**
   * Holds a request that fits, and then the next one; meanwhile others go on. Resolves with a
   * function that ends this. Rejects with an ArgumentError for a condition that cannot be used.
   */
  hold(filter: HoldFilter, onHeld: (held: HeldRequest) => void): Promise<() => void>;
}

/** A server is attached to, and launches nothing: its clients do not name files. */
export type AdapterHost = { readonly launch: Launch } | { readonly holder: RequestHolder };
