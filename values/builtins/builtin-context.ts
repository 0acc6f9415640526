/** The parts of an evaluation that its built-ins use. */
import type { ObjectValue, Value } from '../value.js';
import { type Host, missingHost } from './host.js';
import type { HostCrypto } from './host-crypto.js';

export interface BuiltinContext {
  /** When the evaluation began, in nanoseconds since 1970: all calls see the same time. */
  readonly timeNs: bigint;
  /** A random number in [0, 1). */
  random(): number;
  /** The memory of this evaluation. Keys start with the built-in's name. */
  readonly memory: Map<string, unknown>;
  /**
   * Caches of one engine, for all its evaluations: compiled patterns, parsed schemas, HTTP
   * responses.
   */
  readonly caches: Caches;
  /** The platform's functions. A built-in throws `missingHost` if its part is missing. */
  readonly host: Host;
  /** The document that `opa.runtime` answers. */
  readonly runtime: Value;
  /**
   * Writes a line of `print`.
   * @param place of the call: `file:row`
   */
  print(line: string, place?: string): void;
  /** Takes a note of `trace`. */
  trace(note: string): void;
  /**
   * Counts work before it is done, in units of ten nanoseconds (see `values/work.ts`). Throws a
   * HaltError once the evaluation is out of its time or cancelled, or where the work would take
   * longer than there is time left.
   */
  tick(units: number): void;
  /**
   * The answer of an asynchronous operation, which is started once per evaluation and key. The
   * first call ends this attempt to evaluate; the evaluation runs again when the answer is there,
   * and then gets it here. An error of `start` is thrown here.
   */
  wait<T>(key: string, start: (signal: AbortSignal) => Promise<T>): T;
  /**
   * The hosts that built-ins may connect to (`allow_net` of the capabilities). Undefined allows all
   * hosts, an empty list allows none.
   */
  readonly allowNet?: readonly string[] | undefined;
  /** Takes the measurements of built-ins, where the metrics of the evaluation are asked for. */
  readonly metrics?: BuiltinMetrics | undefined;
  /** Whether built-in errors end the evaluation. */
  readonly strict: boolean;
  /**
   * The syntax tree of a module as JSON, where a parser was given to the engine. Throws a
   * BuiltinError where the text does not parse.
   */
  readonly parseModule: ((filename: string, text: string) => ObjectValue) | undefined;
}

/** Timers and counters of an evaluation, under the reference's names. */
export interface BuiltinMetrics {
  /** Adds to a timer, in nanoseconds, or to a counter. */
  add(name: string, value: number): void;
  /** Counts a thing by the first counter that it comes to: an evaluation that waits is repeated. */
  count(counter: string, thing: string): void;
}

/** Bounded caches by name. */
export interface Caches {
  /**
   * The cache of that name, made on first use: for `size` entries, or fewer where their keys are
   * long. The entry used least recently leaves first.
   */
  of<T>(name: string, size: number): Cache<T>;
}

export interface Cache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** The platform's cryptography. Throws a BuiltinError where it has none. */
export function cryptoOf(context: BuiltinContext): HostCrypto {
  const { crypto, waitingCrypto } = context.host;
  if (crypto !== undefined) return crypto;
  if (waitingCrypto === undefined) throw missingHost('crypto');
  return waitingCrypto((key, start) => context.wait(key, start));
}
