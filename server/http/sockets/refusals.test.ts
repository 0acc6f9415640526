import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { type Listener, listen } from './listen.js';

const authz = `package system.authz

allow := {"allowed": false, "reason": concat(" ", [sprintf("%d", [count(input.headers)]), object.get(input.headers, "X-Name", ["none"])[0], object.get(input, "identity", "nobody")])}
`;
const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const tls = { cert: pem('server.pem'), key: pem('server.key'), requireClientCertificate: false, minVersion: 'TLSv1.2' as const };

/** All that a server says to some bytes, which it must end. */
async function said(bytes: string | Buffer, { port }: { readonly port: string }): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setEncoding('utf8').write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

async function serving<T>(use: (url: URL) => Promise<T>, settings: Parameters<typeof testServer>[0] = {}, options = {}): Promise<T> {
  const { app } = await testServer({ policies: { 'p.rego': 'package p\n\nx := 1\n' }, ...settings });
  const listener: Listener = await listen(app, '127.0.0.1:0', options);
  try {
    return await use(new URL(listener.url));
  } finally {
    await listener.close(0);
  }
}

const post = 'POST /v1/data/p/x HTTP/1.1\r\nHost: a\r\n';
const none = '0\r\n\r\n';

test.each<[string, string, string, string]>([
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', '400 Bad Request: too many Host headers', ''],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request: missing required Host header', ''],
  ['a host that is no name', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', '400 Bad Request: malformed Host header', ''],
  [
    'a body that is gzip in chunks',
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n${none}`,
    '501 Not Implemented',
    'Unsupported transfer encoding',
  ],
  ['a body that is gzip', `${post}Transfer-Encoding: gzip\r\n\r\n`, '501 Not Implemented', 'Unsupported transfer encoding'],
  [
    'two encodings',
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${none}`,
    '501 Not Implemented',
    'Unsupported transfer encoding',
  ],
  ['a length beside an encoding', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${none}`, '400 Bad Request', ''],
  ['no version', 'GET /v1/data/p/x\r\nHost: a\r\n\r\n', '400 Bad Request', ''],
  ['no version and nothing else', 'GET /v1/data/p/x\r\n\r\n', '400 Bad Request', ''],
  ['another version', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', '505 HTTP Version Not Supported: unsupported protocol version', ''],
  ['no request', 'hello\r\n\r\n', '400 Bad Request', ''],
])('%s is answered in the words of Go', async (_title, bytes, status, body) => {
  await serving(async (url) => {
    const answer = await said(bytes, url);
    expect(answer.slice(0, answer.indexOf('\r\n'))).toBe(`HTTP/1.1 ${status}`);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(body || status);
    expect(answer.toLowerCase()).toContain('\r\ncontent-type: text/plain; charset=utf-8\r\n');
  });
});

test.each(['a:99999', '::1', '[::1]', 'a%20b', 'user:b', ''])('the host %j is taken', async (host) => {
  await serving(async (url) => {
    expect(await said(`GET /v1/data/p/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, url)).toContain('{"result":1}');
  });
});

test('the server as a whole has options', async () => {
  await serving(async (url) => {
    expect(await said('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', url)).toMatch(
      /^HTTP\/1\.1 200 OK\r\ncontent-length: 0\r\n/,
    );
  });
});

describe('headers', () => {
  const secured = { policies: { 'authz.rego': authz }, authorization: 'basic', authentication: 'token' } as const;

  test('are UTF-8', async () => {
    await serving(async (url) => {
      const head = 'GET /v1/data HTTP/1.1\r\nHost: a\r\nX-Name: Zoë €\r\nAuthorization: Bearer ключ\r\nConnection: close\r\n\r\n';
      expect(await said(Buffer.from(head), url)).toContain('"message": "3 Zoë € ключ"');
    }, secured);
  });

  test('are seen by the authorization policy, all of 3,000', async () => {
    await serving(async (url) => {
      const many = Array.from({ length: 3000 }, (_, i) => `h${i}: ${i}\r\n`).join('');
      const head = `GET /v1/data HTTP/1.1\r\nHost: a\r\n${many}X-Name: last\r\nConnection: close\r\n\r\n`;
      expect(await said(head, url)).toContain('"message": "3002 last nobody"');
    }, secured);
  });
});

describe('a port that speaks TLS', () => {
  test.each(['GET /v1/data', 'POST /v1/data', 'PUT /v1/data/x', 'HEAD /', 'OPTIONS *'])('says so to %s', async (start) => {
    await serving(
      async (url) => {
        const answer = await said(`${start} HTTP/1.1\r\nHost: a\r\n\r\n`, url);
        expect(answer).toBe('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
      },
      {},
      { tls },
    );
  });

  test.each([1, 4, 100_000])('answers those who speak it, if the first %d bytes come alone', async (count) => {
    await serving(
      async ({ port }) => {
        const raw = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
        const socket = connectTls({ socket: cut(raw, count), rejectUnauthorized: false });
        socket.setEncoding('utf8').write('GET /v1/data/p/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        let answer = '';
        for await (const chunk of socket) answer += chunk;
        expect(answer).toContain('{"result":1}');
      },
      {},
      { tls },
    );
  });
});

/** A socket whose first bytes are sent a while before the others. */
function cut(raw: Socket, count: number): Duplex {
  let isFirst = true;
  const duplex = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      if (!isFirst) return void raw.write(bytes, done);
      isFirst = false;
      raw.write(bytes.subarray(0, count), () => setTimeout(() => raw.write(bytes.subarray(count), done), 50));
    },
  });
  raw.on('data', (bytes) => void duplex.push(bytes)).on('end', () => void duplex.push(null));
  return duplex;
}
