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
  readonly seconds: number;
  /** Requests a second over all connections; unlimited by default. */
  readonly rate?: number;
}

export interface LoadReport {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

const plan = JSON.parse(process.argv[2]!) as LoadPlan;
const { port, path, connections, seconds } = plan;
const requests = plan.bodies.map((body) =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  ),
);
const latencies: number[] = [];
let failed = 0;
let count = 0;
const started = performance.now();
const end = started + seconds * 1000;
const pauseMs = plan.rate === undefined ? 0 : (1000 * connections) / plan.rate;

/** The length of a response; undefined while its head is incomplete. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2));
  return head + 4 + Number(length?.[1] ?? 0);
}

function drive(socket: Socket, at: number): Promise<void> {
  return new Promise((resolve) => {
    let received = '';
    let sent = 0;
    // With a rate, latency starts when the request was due, not when the server let us send it.
    let due = started + (at * pauseMs) / connections;
    const send = () => {
      sent = pauseMs === 0 ? performance.now() : due;
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
      if (!received.startsWith('HTTP/1.1 200')) failed++;
      received = '';
      latencies.push(performance.now() - sent);
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
  perSecond: latencies.length / ((performance.now() - started) / 1000),
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  failed,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
