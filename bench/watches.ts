/**
 * 10,000 watches on one server, of which each write touches one in a hundred: the time until all
 * of these are notified, and the latency of decisions beside the writes, with and without watches.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { loadDuring } from './load/load-during.js';
import { prioritized } from './load/priority.js';
import { median } from './measure.js';

const groups = 100;
const policy = `package w
default allow := false
allow if input.user in data.groups[input.group].members
`;

async function ask(url: string, method: string, path: string, body: unknown): Promise<unknown> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, { method, body: text });
  return await response.text();
}

async function started(port: number): Promise<ChildProcess> {
  const command = fileURLToPath(new URL('../bin/writ', import.meta.url));
  const [first, ...args] = prioritized(command, 'run', '--server', '--addr', `127.0.0.1:${port}`, '--log-level', 'error');
  const child = spawn(first!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    );
    if (isUp) return child;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Opens a watch; `notified` is called with each notification. Resolves with the first one. */
function watch(port: number, group: number, notified: () => void): Promise<Socket> {
  const body = JSON.stringify({ input: { user: 'alice', group: `g${group}` } });
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST /v1/data/w/allow?watch HTTP/1.1\r\nHost: writ\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    let seen = 0;
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      seen += chunk.split('"result"').length - 1;
      if (seen === 0) return;
      if (seen === 1) resolve(socket);
      else notified();
    });
  });
}

export async function run(args: readonly string[]): Promise<void> {
  const count = Number(args[0] ?? 10_000);
  const rounds = 40;
  const port = 20_000 + (process.pid % 10_000);
  const url = `http://127.0.0.1:${port}`;
  const body = JSON.stringify({ input: { user: 'bob', group: 'g0' } });
  const plan = { port, path: '/v1/data/w/allow', bodies: [body], connections: 4, rate: 200 };
  const server = await started(port);
  const data = Object.fromEntries(Array.from({ length: groups }, (_, i) => [`g${i}`, { members: ['bob'] }]));
  await ask(url, 'PUT', '/v1/data/groups', data);
  await ask(url, 'PUT', '/v1/policies/w.rego', policy);
  let left = 0;
  let done = () => {};
  const notified = () => {
    if (--left === 0) done();
  };
  const writeRound = async (round: number, touched: number) => {
    const group = round % groups;
    const members = Math.floor(round / groups) % 2 === 0 ? ['alice', 'bob'] : ['bob'];
    left = touched;
    const all = touched === 0 ? Promise.resolve() : new Promise<void>((resolve) => (done = resolve));
    const before = performance.now();
    await ask(url, 'PUT', `/v1/data/groups/g${group}/members`, members);
    await all;
    return performance.now() - before;
  };
  const measured = async (first: number, touched: number) => {
    const { done: times, p99Ms } = await loadDuring(plan, async () => {
      const each: number[] = [];
      for (let round = first; round < first + rounds; round++) {
        each.push(await writeRound(round, touched));
        await new Promise((next) => setTimeout(next, 50));
      }
      return each;
    });
    return { times, p99Ms };
  };
  // Warms the server up.
  await measured(0, 0);
  for (let round = 0; round < rounds; round++) await ask(url, 'PUT', `/v1/data/groups/g${round}/members`, ['bob']);
  const without = await measured(0, 0);
  for (let round = 0; round < rounds; round++) await ask(url, 'PUT', `/v1/data/groups/g${round}/members`, ['bob']);
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 100) {
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, count - i) }, (_, j) => watch(port, (i + j) % groups, notified)))),
    );
  }
  // The first round moves the watches' objects out of the young generation.
  await measured(0, Math.floor(count / groups));
  const beside = await measured(groups, Math.floor(count / groups));
  console.log(`${count} watches, ${count / groups} touched by each write, ${rounds} writes`);
  console.log(
    `all notified after the write was sent: median ${median(beside.times).toFixed(1)} ms, longest ${Math.max(...beside.times).toFixed(1)} ms`,
  );
  console.log(
    `decisions beside the writes, p99: ${without.p99Ms.toFixed(1)} ms without watches, ${beside.p99Ms.toFixed(1)} ms with (ratio ${(beside.p99Ms / without.p99Ms).toFixed(2)})`,
  );
  for (const socket of sockets) socket.destroy();
  server.kill();
}
