/**
 * A load generator in its own process: `http-load.ts JSON`, with the fields of `LoadPlan`. Prints
 * one line of JSON, see `LoadReport`. It writes bytes to sockets directly, because Node's own HTTP
 * client takes as long per request as the server.
 */
import { connect, type Socket } from 'node:net';

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly bodies: readonly string[];
  readonly connections: number;
  /** Left out: until the standard input ends. */
  readonly seconds?: number;
  /** Requests a second over all connections; unlimited by default. */
  readonly rate?: number;
  /** Whether results are objects whose values must be the same. */
  readonly comparesValues?: boolean;
}

export interface LoadReport {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly failed: number;
  /** Results with values that differ, where they are compared. */
  readonly mixed: number;
  /** The number of different values. */
  readonly different: number;
}

const plan = JSON.parse(process.argv[2]!) as LoadPlan;
const { port, path, connections, seconds } = plan;
const requests = plan.bodies.map((body) =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  ),
);
const latencies: number[] = [];
const seen = new Set<unknown>();
let failed = 0;
let mixed = 0;
let count = 0;
const started = performance.now();
let end = started + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
if (seconds === undefined) {
  process.stdin.resume().on('end', () => (end = 0));
}
const pauseMs = plan.rate === undefined ? 0 : (1000 * connections) / plan.rate;

/** The length of a response; undefined while its head is incomplete. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2));
  return head + 4 + Number(length?.[1] ?? 0);
}

function compare(body: string): void {
  const { result } = JSON.parse(body) as { result?: object };
  const values = new Set(Object.values(result ?? {}));
  if (values.size !== 1) mixed++;
  for (const value of values) seen.add(value);
}

function drive(socket: Socket, at: number): Promise<void> {
  return new Promise((resolve) => {
    let received = '';
    let sent = 0;
    // With a rate, latency starts when the request was due, not when the server let us send it.
    let due = started + (at * pauseMs) / connections;
    const send = () => {
      const now = performance.now();
      // A timer may be early by a part of a millisecond.
      sent = pauseMs === 0 ? now : Math.min(due, now);
      due += pauseMs;
      socket.write(requests[count++ % requests.length]!);
    };
    const next = () => {
      const now = performance.now();
      if (now >= end) {
        socket.destroy();
        resolve();
      } else if (pauseMs === 0 || due <= now) send();
      else setTimeout(send, due - now);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      const length = lengthOf(received);
      if (length === undefined || received.length < length) return;
      latencies.push(performance.now() - sent);
      if (!received.startsWith('HTTP/1.1 200')) failed++;
      else if (plan.comparesValues === true) compare(received.slice(received.indexOf('\r\n\r\n')));
      received = '';
      next();
    });
    socket.on('error', () => {
      failed++;
      resolve();
    });
    next();
  });
}

const sockets = await Promise.all(
  Array.from(
    { length: connections },
    () =>
      new Promise<Socket>(
        (resolve) =>
          void connect(port, '127.0.0.1', function (this: Socket) {
            resolve(this);
          }),
      ),
  ),
);
await Promise.all(sockets.map(drive));
const sorted = latencies.toSorted((a, b) => a - b);
const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const report: LoadReport = {
  count: latencies.length,
  perSecond: latencies.length / ((performance.now() - started) / 1000),
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  maxMs: quantile(1),
  failed,
  mixed,
  different: seen.size,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
