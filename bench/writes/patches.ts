/**
 * `npm run -s bench -- patches [KEYS]`: a patch of one key of a document of 60,000 keys over HTTP,
 * compared to the same patch of a document of six: alone, beside clients that read the whole
 * document, and before a decision that looks one key up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/harness/server/free-port.js';
import { prioritized } from '../load/priority.js';
import { median } from '../measure.js';

const few = 6;
const rounds = 5;
const patchesOfRound = 200;
/** Beside readers each takes long. */
const patchesBeside = 10;
const policy = 'package p\n\nallow if data.large[input.key] >= 0\n';

interface Kind {
  readonly name: string;
  /** Done after each patch, and timed with it. */
  readonly next?: (server: Server) => Promise<void>;
  /** Goes on meanwhile, again and again. */
  readonly beside?: (server: Server) => Promise<void>;
}

const kinds: readonly Kind[] = [
  { name: 'a patch' },
  {
    name: 'a patch and a decision',
    next: (server) => server.ask('POST', '/v1/data/p/allow', '{"input":{"key":"k1"}}'),
  },
  { name: 'a patch beside two readers of all', beside: (server) => server.ask('GET', '/v1/data/large', '') },
];

export async function run([count = '60000']: readonly string[]): Promise<void> {
  const server = await Server.start();
  try {
    await server.ask('PUT', '/v1/policies/p', policy);
    for (const [name, keys] of [['large', Number(count)] as const, ['small', few] as const]) {
      const entries = Array.from({ length: keys }, (_, i) => [`k${i}`, i] as const);
      await server.ask('PUT', `/v1/data/${name}`, JSON.stringify(Object.fromEntries(entries)));
    }
    for (const kind of kinds) await measured(kind, server, Number(count));
  } finally {
    server.end();
  }
}

/** Rounds of both documents alternate, so that both meet the same machine. */
async function measured({ name, next, beside }: Kind, server: Server, keys: number): Promise<void> {
  let isOver = false;
  const readers = Array.from({ length: beside === undefined ? 0 : 2 }, async () => {
    while (!isOver) await beside!(server);
  });
  const [large, small]: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    const count = beside === undefined ? patchesOfRound : patchesBeside;
    large.push(await round(server, 'large', keys, count, next));
    small.push(await round(server, 'small', few, count, next));
  }
  isOver = true;
  await Promise.all(readers);
  const [ofLarge, ofSmall] = [median(large), median(small)];
  const ratio = (ofLarge / ofSmall).toFixed(2);
  console.log(
    `${name}: ${ofLarge.toFixed(2)} ms with ${keys} keys, ${ofSmall.toFixed(2)} ms with ${few}, ratio ${ratio}`,
  );
}

/** The median time of a patch, in milliseconds. */
async function round(
  server: Server,
  document: string,
  keys: number,
  count: number,
  next: Kind['next'],
): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const patch = [{ op: 'replace', path: `/k${(i * 7919) % keys}`, value: i }];
    const started = performance.now();
    await server.ask('PATCH', `/v1/data/${document}`, JSON.stringify(patch));
    await next?.(server);
    times.push(performance.now() - started);
  }
  return median(times);
}

class Server {
  readonly #port: number;
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true });

  static async start(): Promise<Server> {
    const port = await freePort();
    const command = fileURLToPath(new URL('../../bin/writ', import.meta.url));
    const [first, ...args] = prioritized(command, 'run', '-s', '--addr', `127.0.0.1:${port}`, '--log-level', 'error');
    const server = new Server(port, spawn(first!, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
    const isUp = () =>
      server.ask('GET', '/health', '').then(
        () => true,
        () => false,
      );
    while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
    return server;
  }

  private constructor(port: number, child: ChildProcess) {
    this.#port = port;
    this.#process = child;
  }

  /** Rejects where the answer is an error. */
  ask(method: string, path: string, body: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, method, path, agent: this.#agent };
      const sent = request(options, (response) => {
        response.resume();
        const isRight = response.statusCode! < 300;
        response.on('end', () =>
          isRight ? resolve() : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  end(): void {
    this.#agent.destroy();
    this.#process.kill();
  }
}
