import { createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { GrpcTransport } from './grpc-transport.js';

type Answer = (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server of the reference's library for Node. Resolves with its URL. */
async function grpcServer(answer: Answer, port = 0): Promise<string> {
  const server = new Server();
  const bytes = (buffer: Buffer) => buffer;
  const serialization = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes };
  server.addService({ call: { path: '/s/Call', requestStream: false, responseStream: false, ...serialization } }, { call: answer });
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, given) =>
      error === null ? resolve(given) : reject(error),
    ),
  );
  closing.push(() => server.forceShutdown());
  return `http://127.0.0.1:${bound}`;
}

/** A server that answers each stream as given. */
async function rawServer(answer: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server = createServer();
  server.on('stream', answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function transportTo(url: string, { isCompressed = false, headers = {} } = {}): GrpcTransport {
  const transport = new GrpcTransport({ url, tls: undefined, path: '/s/Call', headers: async () => headers, isCompressed });
  closing.push(() => transport.shutdown());
  return transport;
}

const echo: Answer = ({ request }, answer) => answer(null, request);

test.each([[Buffer.alloc(0)], [Buffer.from('spans')], [Buffer.alloc(300_000, 7)]])('a message gets its answer', async (message) => {
  for (const isCompressed of [false, true]) {
    const transport = transportTo(await grpcServer(echo), { isCompressed });
    const answers = await Promise.all([message, Buffer.from('2'), Buffer.from('3')].map((each) => transport.send(each, 5000)));
    expect(answers.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect(answers.map((answer) => (answer.status === 'success' ? answer.data : undefined))).toEqual([
      message,
      Buffer.from('2'),
      Buffer.from('3'),
    ]);
  }
});

test('headers and the deadline are sent', async () => {
  let seen: unknown;
  const url = await grpcServer((call, answer) => {
    seen = [call.metadata.get('api-key'), Number(call.getDeadline()) - Date.now()];
    answer(null, call.request);
  });
  expect(await transportTo(url, { headers: { 'API-Key': 'x' } }).send(Buffer.from('1'), 5000)).toMatchObject({ status: 'success' });
  expect(seen).toEqual([['x'], expect.closeTo(5000, -3)]);
});

test('a status other than 0 is a failure with its message', async () => {
  const url = await grpcServer((_call, answer) => answer({ code: 8, details: 'too many: ü %' }));
  const answer = await transportTo(url).send(Buffer.from('1'), 5000);
  expect(answer).toMatchObject({ status: 'failure', error: { message: 'gRPC status 8: too many: ü %' } });
});

test('a collector that takes too long, or is not there, is a failure', async () => {
  const late = transportTo(await grpcServer(() => undefined));
  expect(await late.send(Buffer.from('1'), 50)).toMatchObject({ error: { message: expect.stringMatching(/status 4: .*deadline/i) } });
  expect(await transportTo('http://127.0.0.1:1').send(Buffer.from('1'), 5000)).toMatchObject({ error: { code: 'ECONNREFUSED' } });
});

test.each([['without TLS'], ['with TLS']])('connections to a collector that never answers end: %s', async (title) => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const isSecure = title === 'with TLS';
  const tls = isSecure ? { allowsInsecure: true, ca: undefined, certificate: undefined, key: undefined } : undefined;
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`;
  const transport = new GrpcTransport({ url, tls, path: '/s/Call', headers: async () => ({}), isCompressed: false });
  const open = () => new Promise<number>((resolve) => silent.getConnections((_error, count) => resolve(count)));
  for (let i = 0; i < 3; i++) expect(await transport.send(Buffer.from('1'), 50)).toMatchObject({ status: 'failure' });
  await expect.poll(open).toBe(0);
  void transport.send(Buffer.from('1'), 60_000);
  await expect.poll(open).toBe(1);
  transport.shutdown();
  await expect.poll(open).toBe(0);
});

test('a failure leaves the other calls of its connection alone', async () => {
  const url = await grpcServer(({ request }, answer) => {
    if (request.toString() === 'bad') answer({ code: 13, details: 'bad' });
    else setTimeout(() => answer(null, request), 100);
  });
  const transport = transportTo(url);
  const answers = await Promise.all(['good', 'bad'].map((text) => transport.send(Buffer.from(text), 5000)));
  expect(answers.map(({ status }) => status)).toEqual(['success', 'failure']);
});

test('after an end of the collector, the next message goes to the new one', async () => {
  const url = await grpcServer(echo);
  const transport = transportTo(url);
  expect(await transport.send(Buffer.from('1'), 5000)).toMatchObject({ status: 'success' });
  closing.pop();
  closing.shift()!();
  expect(await transport.send(Buffer.from('2'), 5000)).toMatchObject({ status: 'failure' });
  await grpcServer(echo, Number(new URL(url).port));
  expect(await transport.send(Buffer.from('3'), 5000)).toMatchObject({ status: 'success' });
});

test.each([
  [
    'no gRPC',
    (stream: ServerHttp2Stream) => stream.respond({ ':status': 404 }, { endStream: true }),
    'the collector answered HTTP 404, and no gRPC status',
  ],
  ['no answer', (stream: ServerHttp2Stream) => stream.close(), 'the collector ended the call'],
  [
    'a long answer',
    (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined).respond({ ':status': 200 });
      stream.end(Buffer.alloc(5_000_000));
    },
    "the collector's answer is larger than 4194304 bytes",
  ],
])('%s is a failure', async (_title, answer, message) => {
  expect(await transportTo(await rawServer(answer)).send(Buffer.from('1'), 5000)).toMatchObject({ status: 'failure', error: { message } });
});
