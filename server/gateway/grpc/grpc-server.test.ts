import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { type AddressInfo, connect as connectSocket, Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GrpcCall } from './grpc-call.js';
import { framedMessage } from './grpc-messages.js';
import { GrpcServer, type GrpcServices, type Method } from './grpc-server.js';
import { GrpcError, grpcCodes } from './grpc-status.js';
import { HealthService } from './health.js';

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly body: Buffer;
}

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Chunks of the body. */
  readonly chunks?: readonly Buffer[];
  /** Whether the body stays open. */
  readonly isOpen?: boolean;
}

interface TestServer {
  readonly server: GrpcServer;
  readonly session: ClientHttp2Session;
  readonly calls: GrpcCall[];
  readonly reported: Error[];
  send(sent?: Sent): Promise<Answer>;
}

const echo: Method = { kind: 'unary', answer: (message) => message };

async function started(methods: Readonly<Record<string, Method>> = {}, limits = {}): Promise<TestServer> {
  const calls: GrpcCall[] = [];
  const noted = (method: Method): Method =>
    method.kind === 'unary'
      ? {
          kind: 'unary',
          answer: (message, call) => {
            calls.push(call);
            return method.answer(message, call);
          },
        }
      : method;
  const services: GrpcServices = new Map([
    ['t.Echo', new Map(Object.entries({ Say: echo, ...methods }).map(([name, method]) => [name, noted(method)]))],
  ]);
  const reported: Error[] = [];
  const server = new GrpcServer(services, { mostReceived: 1000, mostSent: 1000, ...limits }, (error) => void reported.push(error));
  await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  session.on('error', () => undefined);
  onTestFinished(async () => {
    session.destroy();
    await server.close(0);
  });
  return { server, session, calls, reported, send: (sent) => answerOf(open(session, sent)) };
}

function open(
  session: ClientHttp2Session,
  { path = '/t.Echo/Say', headers = {}, chunks = [framedMessage(Buffer.from('hi'))], isOpen = false }: Sent = {},
) {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers });
  for (const chunk of chunks) stream.write(chunk);
  if (!isOpen) stream.end();
  return stream;
}

function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let headers: Record<string, unknown> = {};
    let trailers: Record<string, unknown> = {};
    stream.on('response', (received) => (headers = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      const all = { ...headers, ...trailers };
      const text = (name: string) => all[name] as string | undefined;
      resolve({ status: Number(all[':status']), code: text('grpc-status'), message: text('grpc-message'), body: Buffer.concat(chunks) });
    });
  });
}

const ok = { status: 200, code: '0' };
const compressed = (bytes: Buffer) => {
  const frame = framedMessage(bytes);
  frame[0] = 1;
  return frame;
};

describe('a unary call', () => {
  test('is answered with a message', async () => {
    const { send } = await started();
    expect(await send()).toMatchObject({ ...ok, body: framedMessage(Buffer.from('hi')) });
  });

  test.each(['application/grpc+proto', 'application/grpc; x=y', 'Application/GRPC'])('may have the content type %s', async (type) => {
    const { send } = await started();
    expect(await send({ headers: { 'content-type': type } })).toMatchObject(ok);
  });

  test('may come in pieces of one byte', async () => {
    const { send } = await started();
    const chunks = [...framedMessage(Buffer.from('hello'))].map((byte) => Buffer.from([byte]));
    expect(await send({ chunks })).toMatchObject({ ...ok, body: framedMessage(Buffer.from('hello')) });
  });

  test('may have an empty message', async () => {
    const { send } = await started();
    expect(await send({ chunks: [framedMessage(Buffer.alloc(0))] })).toMatchObject({ ...ok, body: framedMessage(Buffer.alloc(0)) });
  });

  test.each([
    ['gzip', gzipSync(Buffer.from('hi'))],
    ['deflate', deflateSync(Buffer.from('hi'))],
  ])('may be compressed by %s', async (encoding, bytes) => {
    const { send } = await started();
    const answer = await send({ headers: { 'grpc-encoding': encoding }, chunks: [compressed(bytes)] });
    expect(answer).toMatchObject({ ...ok, body: framedMessage(Buffer.from('hi')) });
  });

  test.each<[string, Sent, string, string]>([
    ['of an unknown service', { path: '/t.Other/Say' }, '12', 'unknown service t.Other'],
    ['of an unknown method', { path: '/t.Echo/Ask' }, '12', 'unknown method Ask for service t.Echo'],
    ['to no method', { path: '/' }, '12', 'malformed method name: "/"'],
    [
      'with an unknown compression',
      { headers: { 'grpc-encoding': 'br' } },
      '12',
      'grpc: Decompressor is not installed for grpc-encoding "br"',
    ],
    ['with a bad deadline', { headers: { 'grpc-timeout': '5x' } }, '13', 'malformed grpc-timeout: "5x"'],
    ['without a message', { chunks: [] }, '13', 'the call has no whole message'],
    ['with a part of a message', { chunks: [framedMessage(Buffer.from('hi')).subarray(0, 6)] }, '13', 'the call has no whole message'],
    [
      'with two messages',
      { chunks: [framedMessage(Buffer.from('a')), framedMessage(Buffer.from('b'))] },
      '13',
      'the call has more than one message',
    ],
    ['with an unknown flag', { chunks: [Buffer.from([7, 0, 0, 0, 0])] }, '13', 'grpc: received unexpected payload format 7'],
    [
      'compressed by nothing',
      { chunks: [compressed(Buffer.from('hi'))] },
      '13',
      'grpc: compressed flag set with identity or empty encoding',
    ],
    ['that is too large', { chunks: [framedMessage(Buffer.alloc(1001))] }, '8', 'grpc: received message larger than max (1001 vs. 1000)'],
    [
      'whose length alone is too large',
      { chunks: [Buffer.from([0, 0xff, 0xff, 0xff, 0xff])], isOpen: true },
      '8',
      'grpc: received message larger than max (4294967295 vs. 1000)',
    ],
    [
      'that is too large once it is inflated',
      { headers: { 'grpc-encoding': 'gzip' }, chunks: [compressed(gzipSync(Buffer.alloc(1_000_000)))] },
      '8',
      'grpc: received message larger than max (1003 vs. 1000)',
    ],
  ])('%s is an error', async (_title, sent, code, message) => {
    const { send } = await started();
    const answer = await send(sent);
    expect(answer).toMatchObject({ status: 200, code });
    if (code !== '8') expect(answer.message).toBe(message);
    else expect(answer.message).toContain('larger than max');
    // The connection goes on.
    expect(await send()).toMatchObject(ok);
  });

  test('that is no gzip is an error', async () => {
    const { send } = await started();
    const answer = await send({ headers: { 'grpc-encoding': 'gzip' }, chunks: [compressed(Buffer.from('hi'))] });
    expect(answer.code).toBe('13');
    expect(answer.message).toContain('failed to decompress');
  });

  test.each([
    ['text/plain', 'POST', 415],
    ['application/grpc-web', 'POST', 415],
    ['application/grpc+json', 'POST', 415],
    ['application/grpc', 'PUT', 405],
  ])('with %s by %s has the status of HTTP', async (type, method, status) => {
    const { send } = await started();
    expect(await send({ headers: { 'content-type': type, ':method': method } })).toMatchObject({ status, code: undefined });
  });

  test('ends with the code that the method throws, and with an escaped message', async () => {
    const fail: Method = {
      kind: 'unary',
      answer: () => {
        throw new GrpcError(grpcCodes.notFound, 'nö 100%\n');
      },
    };
    const { send } = await started({ Fail: fail });
    expect(await send({ path: '/t.Echo/Fail' })).toMatchObject({ code: '5', message: 'n%C3%B6 100%25%0A' });
  });

  test('whose method fails is unknown to the client, and reported', async () => {
    const { send, reported } = await started({ Fail: { kind: 'unary', answer: () => Promise.reject(new Error('secret')) } });
    expect(await send({ path: '/t.Echo/Fail' })).toMatchObject({ code: '2', message: 'internal error' });
    expect(reported.map(({ message }) => message)).toEqual(['secret']);
  });

  test('whose answer is too large is an error', async () => {
    const { send } = await started({ Large: { kind: 'unary', answer: () => Buffer.alloc(1001) } });
    expect(await send({ path: '/t.Echo/Large' })).toMatchObject({
      code: '8',
      message: 'grpc: trying to send message larger than max (1001 vs. 1000)',
    });
  });

  test.each([
    ['2H', 7_200_000],
    ['3M', 180_000],
    ['4S', 4000],
    ['500m', 500],
  ])('knows its deadline: %s', async (timeout, milliseconds) => {
    const { send, calls } = await started();
    await send({ headers: { 'grpc-timeout': timeout } });
    expect(calls[0]!.leftMs).toBeLessThanOrEqual(milliseconds);
    expect(calls[0]!.leftMs).toBeGreaterThan(0);
  });

  test('is late after its deadline, and has all time without one', async () => {
    const { send, calls } = await started();
    await send({ headers: { 'grpc-timeout': '1n' } });
    await send();
    expect(calls.map(({ isLate, leftMs }) => [isLate, leftMs])).toEqual([
      [true, 0],
      [false, Number.POSITIVE_INFINITY],
    ]);
  });

  test('that the client resets is cancelled', async () => {
    let cancelled: () => void;
    const seen = new Promise<void>((resolve) => (cancelled = resolve));
    const slow: Method = {
      kind: 'unary',
      answer: (message, call) => {
        call.signal.addEventListener('abort', () => cancelled());
        return seen.then(() => message);
      },
    };
    const { session, calls } = await started({ Slow: slow });
    const stream = open(session, { path: '/t.Echo/Slow' });
    stream.on('error', () => undefined);
    while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stream.close(constants.NGHTTP2_CANCEL);
    await seen;
    expect(calls[0]!.isCancelled).toBe(true);
  });
});

describe('a stream', () => {
  const each: Method = { kind: 'stream', answer: (message, call) => call.send(message), endsWithClient: true };

  test('answers each message, and ends with the client', async () => {
    const { send } = await started({ Each: each });
    const messages = ['a', 'b', 'c'].map((text) => framedMessage(Buffer.from(text)));
    const answer = await send({ path: '/t.Echo/Each', chunks: [Buffer.concat(messages)] });
    expect(answer).toMatchObject({ ...ok, body: Buffer.concat(messages) });
  });

  test('fails with its messages', async () => {
    const fail: Method = { kind: 'stream', answer: () => Promise.reject(new GrpcError(grpcCodes.notFound, 'no')), endsWithClient: true };
    const { send } = await started({ Fail: fail });
    expect(await send({ path: '/t.Echo/Fail' })).toMatchObject({ code: '5', message: 'no' });
  });
});

describe('a hostile client', () => {
  test('that opens 10,000 calls and resets them at once does not end the server', async () => {
    const { server, session } = await started();
    for (let i = 0; i < 10_000; i++) {
      const stream = open(session, { isOpen: true });
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const other = connect(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
    expect(await answerOf(open(other))).toMatchObject(ok);
    other.destroy();
  });

  test('with 10,000 calls at once has them answered, a thousand at a time', async () => {
    let [open, most] = [0, 0];
    const counted: Method = {
      kind: 'unary',
      answer: async (message) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return message;
      },
    };
    const { send } = await started({ Counted: counted });
    const answers = await Promise.all(Array.from({ length: 10_000 }, () => send({ path: '/t.Echo/Counted' })));
    expect(answers.every(({ code }) => code === '0')).toBe(true);
    expect(most).toBeLessThanOrEqual(1000);
  });

  test('that sends bytes of another protocol is cut off', async () => {
    const { server, send } = await started();
    const { port } = server.server.address() as AddressInfo;
    for (const bytes of [
      'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
      '\x16\x03\x01\x02\x00',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.padEnd(4000, '\xff'),
    ]) {
      const socket = connectSocket(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve).end(Buffer.from(bytes, 'latin1')));
    }
    expect(await send()).toMatchObject(ok);
  });

  test('whose message takes too long has its call ended', async () => {
    const { session } = await started({}, { arrivalMs: 50 });
    expect((await answerOf(open(session, { chunks: [Buffer.from([0, 0, 0])], isOpen: true }))).code).toBeUndefined();
  });

  test('that goes on after its message is told at once', async () => {
    const { session } = await started();
    const sent = { chunks: [framedMessage(Buffer.from('hi')), framedMessage(Buffer.from('more'))], isOpen: true };
    expect(await answerOf(open(session, sent))).toMatchObject({ code: '13', message: 'the call has more than one message' });
  });

  test('whose watches of the health end in errors keeps none of them', async () => {
    const health = new HealthService([''], () => true);
    const { session, send } = await started({ Watch: health.services[0]![1].get('Watch')! });
    const path = '/t.Echo/Watch';
    const bad = [framedMessage(Buffer.alloc(0)), framedMessage(Buffer.from([10, 9]))];
    const failed = await Promise.all(Array.from({ length: 150 }, () => send({ path, chunks: bad })));
    expect(failed.map(({ code }) => code)).toEqual(failed.map(() => '13'));
    const watch = open(session, { path, chunks: [framedMessage(Buffer.alloc(0))], isOpen: true });
    const [status] = await once(watch, 'data');
    expect(status).toEqual(framedMessage(Buffer.from([8, 1])));
    health.close();
  });

  test('that is gone without a word is found out by its connection', async () => {
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => keepAlive.mockRestore());
    const { send } = await started();
    expect(await send()).toMatchObject(ok);
    expect(keepAlive).toHaveBeenCalledWith(true, 60_000);
  });

  test('that never sends its message holds no answer of another up', async () => {
    const { session, send } = await started();
    for (let i = 0; i < 500; i++) open(session, { chunks: [Buffer.from([0, 0, 0, 3])], isOpen: true }).on('error', () => undefined);
    expect(await send()).toMatchObject(ok);
  });
});

describe('the end of the server', () => {
  test('waits for open calls, and takes no more', async () => {
    let finish: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: Method = { kind: 'unary', answer: (message) => finished.then(() => message) };
    const { server, session, calls } = await started({ Slow: slow });
    const answer = answerOf(open(session, { path: '/t.Echo/Slow' }));
    while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = server.close(60_000);
    finish!();
    expect(await answer).toMatchObject(ok);
    await closed;
    expect(session.destroyed || session.closed).toBe(true);
  });

  test('cuts off calls that take too long', async () => {
    const { server, session, calls } = await started({ Never: { kind: 'unary', answer: () => new Promise(() => undefined) } });
    const answer = answerOf(open(session, { path: '/t.Echo/Never' }));
    while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close(50);
    expect((await answer).code).toBeUndefined();
  });
});
