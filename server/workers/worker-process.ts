/** One worker, as the primary sees it. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ProcessReport } from '../observability/process-report.js';
import type { ToPrimary, ToWorker } from './messages.js';

/** Milliseconds until a worker must have answered a question about its measurements. */
const reportMs = 1000;

/** A connection that the primary has accepted, and no process has read. */
export interface Connection {
  readonly address: string;
  readonly socket: Socket;
}

interface WorkerListeners {
  /** Messages that concern others than the worker. */
  message(worker: WorkerProcess, message: ToPrimary): void;
  /** The process has ended, and has not taken these connections. */
  ended(worker: WorkerProcess, untaken: readonly Connection[]): void;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #changes = new Map<number, (error: string | undefined) => void>();
  readonly #reports = new Map<number, () => void>();
  readonly #passed = new Map<number, Connection>();
  /** The last measurements. */
  report: ProcessReport | undefined;
  /** Resolves once it takes requests; rejects where it cannot start. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  isReady = false;
  #count = 0;

  constructor(child: ChildProcess, listeners: WorkerListeners) {
    this.#child = child;
    let settle: { resolve(): void; reject(error: Error): void };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    // No caller waits for a replacement.
    this.ready.catch(() => undefined);
    this.ended = new Promise((resolve) => {
      child.once('exit', () => resolve());
      // A process that could not be made does not end.
      child.once('error', () => child.pid === undefined && resolve());
    });
    child.on('message', (sent) => {
      const message = sent as ToPrimary;
      if (message.kind === 'ready') {
        this.isReady = true;
        settle.resolve();
      } else if (message.kind === 'failed') settle.reject(new Error(message.message));
      else if (message.kind === 'changed') this.#changed(message.number, message.error);
      else if (message.kind === 'taken') this.#taken(message.id);
      else if (message.kind === 'report') this.#reported(message.id, message.report);
      else if (message.kind === 'stopped') this.report = message.report;
      else listeners.message(this, message);
    });
    const end = (error: Error) => {
      settle.reject(error);
      for (const number of [...this.#changes.keys()]) this.#changed(number, undefined);
      for (const id of [...this.#reports.keys()]) this.#reports.get(id)?.();
      listeners.ended(this, [...this.#passed.values()]);
    };
    child.once('error', (error) => (child.pid === undefined ? end(error) : settle.reject(error)));
    child.once('exit', (code, signal) => end(new Error(`a worker ended with ${signal ?? code}`)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Messages arrive in the order in which they are sent. A process that is gone gets none. */
  send(message: ToWorker, socket?: Socket): void {
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => undefined);
  }

  /** Passes a connection on. It stays open here until the worker has taken it. */
  pass(connection: Connection): void {
    const id = ++this.#count;
    this.#passed.set(id, connection);
    this.send({ kind: 'connection', id, address: connection.address }, connection.socket);
  }

  #taken(id: number): void {
    this.#passed.get(id)?.socket.destroy();
    this.#passed.delete(id);
  }

  /** Resolves when the worker has made the change or has ended; with the error if it could not. */
  change(message: Extract<ToWorker, { kind: 'change' }>): Promise<string | undefined> {
    if (!this.#child.connected) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#changes.set(message.number, resolve);
      this.send(message);
    });
  }

  #changed(number: number, error: string | undefined): void {
    this.#changes.get(number)?.(error);
    this.#changes.delete(number);
  }

  /** Resolves with measurements of now, or those of before from a worker that is too busy. */
  async measure(): Promise<ProcessReport | undefined> {
    if (!this.isReady || !this.#child.connected) return this.report;
    const id = ++this.#count;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, reportMs);
      this.#reports.set(id, () => {
        clearTimeout(late);
        resolve();
      });
      this.send({ kind: 'report', id });
    });
    this.#reports.delete(id);
    return this.report;
  }

  #reported(id: number, report: ProcessReport): void {
    this.report = report;
    this.#reports.get(id)?.();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
