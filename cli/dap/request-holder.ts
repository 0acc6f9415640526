/** Holds requests of a server for the clients of its debug adapter. */
import type { Engine } from '../../engine/index.js';
import { type AskedQuestion, type RequestGate, unsafeBuiltins } from '../../server/index.js';
import type { DebugSession, SessionOptions } from '../../views/index.js';
import type { HeldRequest, HoldFilter, RequestHolder } from './host.js';
import { ArgumentError } from './protocol/arguments.js';

/** Milliseconds for the condition of a client, which each request that fits has to wait for. */
const conditionMs = 1000;

/** A client that waits for requests. */
interface Holder {
  readonly path: readonly string[];
  readonly condition: string | undefined;
  readonly onHeld: (held: HeldRequest) => void;
  /** Whether it holds a request now: others go on. */
  isBusy: boolean;
  /** Lets the request that it holds go on. */
  release: () => void;
}

/** Opens a session over the policies and the data of a server, as they are now. */
type OpenSession = (question: AskedQuestion, options: SessionOptions) => Promise<DebugSession>;

export class HoldingGate implements RequestGate, RequestHolder {
  readonly #engine: Engine;
  readonly #open: OpenSession;
  readonly #holders = new Set<Holder>();

  constructor(engine: Engine, open: OpenSession) {
    this.#engine = engine;
    this.#open = open;
  }

  async hold({ path, condition }: HoldFilter, onHeld: (held: HeldRequest) => void): Promise<() => void> {
    const segments = (path ?? '')
      .replace(/^data\b/, '')
      .split(/[./]/)
      .filter((segment) => segment !== '');
    if (condition !== undefined)
      await this.#solves(condition, undefined).catch((error: Error) => refuse(condition, error));
    const holder: Holder = { path: segments, condition, onHeld, isBusy: false, release: () => {} };
    this.#holders.add(holder);
    return () => {
      this.#holders.delete(holder);
      holder.release();
    };
  }

  enter(question: AskedQuestion): Promise<void> | undefined {
    const fitting = [...this.#holders].filter(
      ({ path, isBusy }) => !isBusy && path.every((segment, i) => segment === question.path[i]),
    );
    return fitting.length === 0 ? undefined : this.#wait(question, fitting);
  }

  /** Waits for the first client that wants the request. */
  async #wait(question: AskedQuestion, fitting: readonly Holder[]): Promise<void> {
    for (const holder of fitting) {
      // A condition that fails for an input does not hold for it.
      if (holder.condition !== undefined && !(await this.#holds(holder.condition, question.input).catch(() => false)))
        continue;
      // Meanwhile it may have got another request, or be gone.
      if (holder.isBusy || !this.#holders.has(holder)) continue;
      return await this.#heldBy(holder, question);
    }
  }

  #heldBy(holder: Holder, question: AskedQuestion): Promise<void> {
    return new Promise((resolve) => {
      holder.isBusy = true;
      holder.release = () => {
        holder.isBusy = false;
        holder.release = () => {};
        resolve();
      };
      const name = `${question.method} ${question.path.join('/')}`;
      holder.onHeld({ name, open: (options) => this.#open(question, options), release: () => holder.release() });
    });
  }

  /** An expression alone has a solution also where it is false, one of several has none. */
  #holds(condition: string, input: AskedQuestion['input']): Promise<boolean> {
    return this.#solves(`true; ${condition}`, input);
  }

  #solves(condition: string, input: AskedQuestion['input']): Promise<boolean> {
    return this.#engine.query(
      condition,
      input,
      { unsafeBuiltins, timeMs: conditionMs },
      (solutions) => solutions.length > 0,
    );
  }
}

function refuse(condition: string, { message }: Error): never {
  throw new ArgumentError(`attach: the condition ${condition} cannot be used: ${message}`);
}
