/** For tests: a client beside others, in a thread of its own, that measures how long it waits for a trivial decision. */
import { Worker } from 'node:worker_threads';

const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"input":{"user":"ann"}}';
let worst = 0;
let failed = '';
let ends = false;
function ask() {
  const started = performance.now();
  const fail = (why) => { if (!ends) failed = String(why); next(); };
  let isOver = false;
  const next = () => { if (isOver) return; isOver = true; worst = Math.max(worst, performance.now() - started); setTimeout(ask, 10); };
  const outgoing = request(workerData + '/v1/data/p/allow', { method: 'POST', agent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => { text += part; });
    response.on('end', () => { if (text === '{"result":true}\\n') next(); else fail(text); });
  });
  outgoing.on('error', (error) => fail(error.code));
  outgoing.end(body);
}
parentPort.on('message', (message) => {
  if (message === 'end') { ends = true; process.exit(0); }
  parentPort.postMessage({ worst, failed });
  worst = 0;
  failed = '';
});
ask();
`;

/** What a probe has seen since it was last asked. */
export interface Seen {
  /** Milliseconds of the decision that took longest. */
  readonly worst: number;
  /** What one was answered instead of its decision; empty where all were made. */
  readonly failed: string;
}

export class Probe {
  readonly #worker: Worker;

  constructor(url: string) {
    this.#worker = new Worker(script, { eval: true, workerData: url });
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
