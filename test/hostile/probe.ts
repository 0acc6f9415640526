/**
 * For tests: a client in a thread of its own that measures how long it waits for a trivial
 * decision. Where the system (Linux) reports it, time in which server or client waited for a
 * processor is not counted: other programs are no fault of the server.
 */
import { Worker } from 'node:worker_threads';

const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"input":{"user":"ann"}}';
let worst = 0;
let failed = '';

// The second number is the time that a thread waited for a processor, in nanoseconds.
function delayOf(path) {
  try {
    return Number(readFileSync(path, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

// The time that the machine's host gave its processors to other machines.
function stolenMs() {
  try {
    return 10 * Number(/^cpu +(?:\\d+ +){7}(\\d+)/.exec(readFileSync('/proc/stat', 'latin1'))[1]);
  } catch {
    return 0;
  }
}

function delays() {
  const { pid } = workerData;
  return delayOf('/proc/' + pid + '/task/' + pid + '/schedstat') + delayOf('/proc/thread-self/schedstat') + stolenMs();
}

function ask() {
  const delayed = delays();
  const started = performance.now();
  const fail = (why) => { failed = String(why); next(); };
  let isOver = false;
  const next = () => {
    if (isOver) return;
    isOver = true;
    const waited = performance.now() - started;
    if (waited > worst) worst = Math.max(worst, waited - (delays() - delayed));
    setTimeout(ask, 10);
  };
  const outgoing = request(workerData.url + '/v1/data/p/allow', { method: 'POST', agent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => { text += part; });
    response.on('end', () => { if (text === '{"result":true}\\n') next(); else fail(text); });
  });
  outgoing.on('error', (error) => fail(error.code));
  outgoing.end(body);
}

parentPort.on('message', () => {
  parentPort.postMessage({ worst, failed });
  worst = 0;
  failed = '';
});
ask();
`;

/** The measurements of a probe since the last report. */
interface Seen {
  /** Milliseconds of the longest decision. */
  readonly worst: number;
  /** An answer that was no decision; empty if there was none. */
  readonly failed: string;
}

export class Probe {
  readonly #worker: Worker;

  constructor(server: { readonly url: string; readonly pid: number }) {
    const { url, pid } = server;
    this.#worker = new Worker(script, { eval: true, workerData: { url, pid } });
    this.#worker.unref();
  }

  seen(): Promise<Seen> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage(null);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
