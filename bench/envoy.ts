/**
 * `npm run -s bench -- envoy [SECONDS]`: checks of Envoy by this server, with a policy, and by
 * `@grpc/grpc-js` without one: requests in a second of the server's processor time, one connection,
 * 16 requests at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '@bufbuild/protobuf';
import { framedMessage } from '../server/gateway/grpc/grpc-messages.js';
import { requestBytes } from '../test/harness/envoy/check-client.js';
import { freePort } from '../test/harness/server/free-port.js';
import { processorMs } from './load/processor-time.js';
import { median } from './measure.js';

const policy = `package envoy.authz

default allow := false

allow if {
	input.attributes.request.http.method == "GET"
	input.parsed_path[0] == "goods"
	input.attributes.request.http.headers["x-role"] == data.roles[_]
}
`;

/** As Envoy sends it for a request of a browser. */
const request: JsonValue = {
  attributes: {
    source: { address: { socketAddress: { address: '10.1.2.3', portValue: 41234 } } },
    destination: { address: { socketAddress: { address: '10.1.2.4', portValue: 8080 } } },
    request: {
      time: '2026-05-06T07:08:09.010Z',
      http: {
        id: '1234567890123456789',
        method: 'GET',
        path: '/goods/1?colour=red',
        host: 'shop.test',
        scheme: 'http',
        protocol: 'HTTP/1.1',
        headers: {
          ':authority': 'shop.test',
          ':method': 'GET',
          ':path': '/goods/1?colour=red',
          ':scheme': 'http',
          accept: 'text/html,application/xhtml+xml',
          'accept-encoding': 'gzip, deflate, br',
          'accept-language': 'en',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'x-forwarded-proto': 'http',
          'x-request-id': '6d1f0e4c-7f0e-4a54-9c0c-2b7d0c4ab7d1',
          'x-role': 'clerk',
        },
      },
    },
    metadataContext: {},
    routeMetadataContext: {},
  },
};

const frame = framedMessage(requestBytes(request));
const path = '/envoy.service.auth.v3.Authorization/Check';
const inFlight = 16;

interface Contestant {
  readonly name: string;
  readonly port: number;
  readonly process: ChildProcess;
}

export async function run([seconds = '3']: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  writeFileSync(join(folder, 'p.rego'), policy);
  writeFileSync(join(folder, 'data.json'), '{"roles": ["guest", "clerk"]}');
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ plugins: { envoy_ext_authz_grpc: { addr: `127.0.0.1:${ports[0]}` } } }),
  );
  const root = join(import.meta.dirname, '..');
  const start = (command: string, args: readonly string[]) =>
    spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const limit = (port: number, ...mode: string[]) =>
    start(process.execPath, [
      '--import',
      import.meta.resolve('tsx'),
      join(root, 'bench/load/grpc-limit.ts'),
      String(port),
      ...mode,
    ]);
  const writ = [
    'run',
    '--server',
    '--addr',
    `127.0.0.1:${await freePort()}`,
    '--log-level',
    'error',
    '-c',
    'config.json',
    'p.rego',
    'data.json',
  ];
  const contestants: readonly Contestant[] = [
    { name: 'writ, with a policy', port: ports[0], process: start(join(root, 'bin/writ'), writ) },
    { name: 'grpc-js, messages decoded', port: ports[1], process: limit(ports[1]) },
    { name: 'grpc-js, bytes', port: ports[2], process: limit(ports[2], 'raw') },
  ];
  try {
    const rates = await compete(contestants, 1000 * Number(seconds));
    const own = rates[0]!;
    for (const [i, { name }] of contestants.entries())
      console.log(`${name.padEnd(28)} ${rates[i]!.toFixed(0).padStart(7)} /s   ${(own / rates[i]!).toFixed(2)}`);
  } finally {
    for (const { process } of contestants) process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rounds in turn: the first warms up. */
async function compete(contestants: readonly Contestant[], ms: number): Promise<number[]> {
  const rates: number[][] = contestants.map(() => []);
  for (let round = 0; round < 6; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const rate = await rateOf(contestant, ms);
      if (round > 0) rates[i]!.push(rate);
    }
  }
  return rates.map(median);
}

/** Requests in a second of the server's processor time. */
async function rateOf({ port, process }: Contestant, ms: number): Promise<number> {
  const session = await connected(port);
  const before = processorMs(process.pid!);
  const until = performance.now() + ms;
  let count = 0;
  const client = async () => {
    while (performance.now() < until) {
      await ask(session);
      count++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  const used = processorMs(process.pid!) - before;
  session.close();
  return (1000 * count) / used;
}

async function connected(port: number): Promise<ClientHttp2Session> {
  for (let i = 0; i < 200; i++) {
    const session = connect(`http://127.0.0.1:${port}`);
    const isUp = await new Promise<boolean>((resolve) =>
      session.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    if (isUp) return session;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens at ${port}`);
}

function ask(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let status = '';
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    stream.on('trailers', (trailers) => {
      status = String(trailers['grpc-status']);
    });
    stream.on('error', reject);
    stream.on('close', () => (status === '0' && size > 0 ? resolve() : reject(new Error(`status ${status}`))));
    stream.end(frame);
  });
}
