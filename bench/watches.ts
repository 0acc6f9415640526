/**
 * `npm run -s bench -- watches [COUNT]`: 10,000 watches on one server, of which each write touches
 * one in a hundred: the time until all of these are notified, and the latency of decisions beside
 * the writes, with and without watches. Decisions are asked by a process of their own. This process
 * writes and reads the notifications, so it competes for the processors. Therefore the same
 * decisions are also asked of a server without watches, while another server has them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/harness/server/free-port.js';
import { loadDuring } from './load/load-during.js';
import { prioritized } from './load/priority.js';
import { processorMs } from './load/processor-time.js';
import { median } from './measure.js';

const groups = 100;
/** Writes of one phase, each to another group. */
const rounds = 100;
const pauseMs = 50;
const policy = `package w
default allow := false
allow if input.user in data.groups[input.group].members
`;

export async function run([count = '10000']: readonly string[]): Promise<void> {
  const touched = Math.floor(Number(count) / groups);
  const [watched, other] = [await WatchedServer.start(), await WatchedServer.start()];
  // Both are warm before anything is measured.
  for (const server of [watched, other]) await server.phase('warm-up', server, 0);
  const phases = [await watched.phase('without watches', watched, 0)];
  await watched.open(touched);
  // The first round moves the state of the watches out of the young generation.
  await watched.phase('warm-up', watched, touched);
  phases.push(await watched.phase('with watches of another server', other, touched));
  phases.push(await watched.phase('with watches', watched, touched));
  console.log(`${count} watches, ${touched} touched by each write, ${rounds} writes`);
  for (const { name, load, notified, serverMs, clientMs } of phases) {
    const times = `${serverMs.toFixed(1)} ms of processor time of the writing server for each write, ${clientMs.toFixed(1)} ms of its client`;
    console.log(
      `decisions ${name}: p50 ${load.p50Ms.toFixed(1)} ms, p99 ${load.p99Ms.toFixed(1)} ms, longest ${load.maxMs.toFixed(1)} ms (${times})`,
    );
    if (notified.length > 0)
      console.log(
        `  all notified after a write was sent: median ${median(notified).toFixed(1)} ms, longest ${Math.max(...notified).toFixed(1)} ms`,
      );
  }
  const [without, control, beside] = phases.map(({ load }) => load.p99Ms) as [number, number, number];
  console.log(
    `p99 with watches: ${(beside / without).toFixed(2)} of p99 without; ${(beside / control).toFixed(2)} of p99 beside another server's watches`,
  );
  for (const server of [watched, other]) server.end();
}

/** A server and its watches. */
class WatchedServer {
  readonly #port: number;
  readonly #process: ChildProcess;
  readonly #sockets: Socket[] = [];
  #round = 0;
  /** Notifications of the last write that have not come. */
  #left = 0;
  #allNotified = () => {};

  static async start(): Promise<WatchedServer> {
    const port = await freePort();
    const command = fileURLToPath(new URL('../bin/writ', import.meta.url));
    const [first, ...args] = prioritized(
      command,
      'run',
      '--server',
      '--addr',
      `127.0.0.1:${port}`,
      '--log-level',
      'error',
    );
    const child = spawn(first!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const server = new WatchedServer(port, child);
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => true,
        () => false,
      );
    while (!(await isUp())) await pause(50);
    await server.#put(
      '/v1/data/groups',
      Object.fromEntries(Array.from({ length: groups }, (_, i) => [`g${i}`, { members: ['bob'] }])),
    );
    await server.#put('/v1/policies/w.rego', policy);
    return server;
  }

  private constructor(port: number, child: ChildProcess) {
    this.#port = port;
    this.#process = child;
  }

  /** Writes to this server, while decisions are asked of `asked`. */
  async phase(name: string, asked: WatchedServer, touched: number) {
    const body = JSON.stringify({ input: { user: 'bob', group: 'g0' } });
    const plan = { port: asked.#port, path: '/v1/data/w/allow', bodies: [body], connections: 4, rate: 400 };
    const notified: number[] = [];
    const load = await loadDuring(plan, async () => {
      const [serverFrom, clientFrom] = [processorMs(this.#process.pid!), processorMs(process.pid)];
      for (let i = 0; i < rounds; i++) {
        notified.push(await this.#write(touched));
        await pause(pauseMs);
      }
      return [processorMs(this.#process.pid!) - serverFrom, processorMs(process.pid) - clientFrom] as const;
    });
    const [serverMs, clientMs] = load.done.map((milliseconds) => milliseconds / rounds) as [number, number];
    return { name, load, notified: touched === 0 ? [] : notified, serverMs, clientMs };
  }

  /** Opens watches, so many in each group. */
  async open(perGroup: number): Promise<void> {
    for (let i = 0; i < perGroup; i++) {
      this.#sockets.push(...(await Promise.all(Array.from({ length: groups }, (_, group) => this.#watch(group)))));
    }
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#process.kill();
  }

  /** Changes the document of one group; resolves with the time until its watches are notified. */
  async #write(touched: number): Promise<number> {
    const group = this.#round % groups;
    const members = Math.floor(this.#round / groups) % 2 === 0 ? ['alice', 'bob'] : ['bob'];
    this.#round++;
    this.#left = touched;
    const all = touched === 0 ? undefined : new Promise<void>((resolve) => (this.#allNotified = resolve));
    const before = performance.now();
    await this.#put(`/v1/data/groups/g${group}/members`, members);
    await all;
    return performance.now() - before;
  }

  async #put(path: string, body: unknown): Promise<void> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, { method: 'PUT', body: text });
    await response.text();
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status}`);
  }

  /** Opens a watch. Resolves with its first notification. */
  #watch(group: number): Promise<Socket> {
    const body = JSON.stringify({ input: { user: 'alice', group: `g${group}` } });
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1', () => {
        socket.write(
          `POST /v1/data/w/allow?watch HTTP/1.1\r\nHost: writ\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
      let isOpen = false;
      socket.setEncoding('latin1').on('error', reject);
      socket.on('data', (chunk: string) => {
        if (!chunk.includes('"result"')) return;
        if (isOpen && --this.#left === 0) this.#allNotified();
        isOpen = true;
        resolve(socket);
      });
    });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
