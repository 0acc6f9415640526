/** What the adapter needs of the program that it is part of. */
import type { DebugSession, Launch, SessionOptions } from '../session.js';

/** A request of a server that waits for its debugger. */
export interface HeldRequest {
  /** `POST /v1/data/authz/allow` */
  readonly name: string;
  /** Loads the policies, the data and the input of the request. */
  open(options: SessionOptions): Promise<DebugSession>;
  /** Lets the request go on. */
  release(): void;
}

/** Which requests are held. */
export interface HoldFilter {
  /** The document that is asked for, or one above it: `authz/allow`; undefined: any. */
  readonly path: string | undefined;
  /** An expression over the input. */
  readonly condition: string | undefined;
}

/** A server whose requests can be held. */
export interface RequestHolder {
  /**
   * Holds the next request that fits; others go on. Returns a function that ends this.
   * Throws a RequestError for a condition that does not compile, and while another client holds.
   */
  hold(filter: HoldFilter, onHeld: (held: HeldRequest) => void): () => void;
}

export interface AdapterHost {
  readonly launch: Launch;
  /** Absent where there is no server to attach to. */
  readonly holder?: RequestHolder;
}
