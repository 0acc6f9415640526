import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ChunkEncoder } from './chunk-encoder.js';
import { CountBuffer } from './count-buffer.js';
import type { EventBuffer } from './event-buffer.js';
import { Fifo } from './fifo.js';
import { RateLimit } from './rate-limit.js';
import { SizeBuffer } from './size-buffer.js';
import type { Upload } from './upload.js';

/** An event that does not compress well. */
const event = (i: number, length = 100) => {
  const parts = Array.from({ length: Math.ceil(length / 88) }, (_, k) => createHash('sha512').update(`${i} ${k}`).digest('base64'));
  return JSON.stringify({ i, text: parts.join('').slice(0, length) });
};

const numbersOf = (uploads: readonly { readonly bytes: Uint8Array }[]): number[] =>
  uploads.flatMap(({ bytes }) => (JSON.parse(gunzipSync(bytes).toString()) as { i: number }[]).map(({ i }) => i));

const to = (n: number) => Array.from({ length: n }, (_, i) => i);

describe('chunks', () => {
  test.each([100, 1000, 32_768])('have at most %i bytes, and all events in order', async (limit) => {
    const encoder = new ChunkEncoder(
      limit,
      () => undefined,
      () => expect.fail('an event was lost'),
    );
    const chunks = [];
    for (let from = 0; from < 1000; from += 250) chunks.push(...(await encoder.encode(to(250).map((i) => event(from + i, 20)))));
    for (const { bytes } of chunks) expect(bytes.length).toBeLessThanOrEqual(limit);
    expect(numbersOf(chunks)).toEqual(to(1000));
  });

  test('adapt to how well events compress', async () => {
    const encoder = new ChunkEncoder(
      10_000,
      () => undefined,
      () => undefined,
    );
    expect(encoder.target).toBe(9000);
    await encoder.encode(to(500).map(() => '{"always":"the same text"}'));
    expect(encoder.target).toBeGreaterThan(100_000);
    await encoder.encode(to(5000).map((i) => event(i, 60)));
    expect(encoder.target).toBeLessThan(50_000);
  });

  test('take an event that is too large in its shorter form, or lose it', async () => {
    let lost = 0;
    const large = event(1, 3000);
    const encoder = new ChunkEncoder(
      200,
      (text) => (text === large ? '{"i":1}' : undefined),
      () => lost++,
    );
    expect(numbersOf(await encoder.encode([event(0, 10), large, event(2, 4000), event(3, 10)]))).toEqual([0, 1, 3]);
    expect(lost).toBe(1);
  });
});

function buffer(kind: 'size' | 'event', limit: number, uploadBytes = 1000) {
  let lost = 0;
  const encoder = new ChunkEncoder(
    uploadBytes,
    () => undefined,
    () => lost++,
  );
  const options = { encoder, limit, lose: (count: number) => (lost += count), onFull: () => undefined };
  const made: EventBuffer = kind === 'size' ? new SizeBuffer(options) : new CountBuffer(options);
  const takeAll = async () => {
    const all: Upload[] = [];
    await made.flush();
    for (let next = await made.take(); next.length > 0; next = await made.take()) all.push(...next);
    return all;
  };
  return { made, takeAll, encoder, lost: () => lost };
}

describe.each(['size', 'event'] as const)('a buffer by %s', (kind) => {
  test('keeps all events in order', async () => {
    const { made, takeAll, lost } = buffer(kind, 1_000_000);
    for (const i of to(500)) made.add(event(i));
    expect(made.count).toBe(500);
    const uploads = await takeAll();
    expect(numbersOf(uploads)).toEqual(to(500));
    for (const upload of uploads) made.sent(upload);
    expect([made.count, lost()]).toEqual([0, 0]);
  });

  test('takes back what could not be sent', async () => {
    const { made, takeAll } = buffer(kind, 1_000_000);
    for (const i of to(200)) made.add(event(i));
    await made.flush();
    const first = await made.take();
    for (const i of [200, 201]) made.add(event(i));
    made.giveBack(first);
    expect(made.count).toBe(202);
    expect(numbersOf(await takeAll())).toEqual(to(202));
  });

  test('drops the oldest events when it is full, and counts them', async () => {
    const { made, takeAll, lost } = buffer(kind, kind === 'size' ? 5000 : 50);
    for (const i of to(1000)) {
      made.add(event(i));
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const left = numbersOf(await takeAll());
    expect(left.length).toBeGreaterThan(10);
    expect(left).toEqual(to(1000).slice(1000 - left.length));
    expect(lost()).toBe(1000 - left.length);
    if (kind === 'event') expect(left).toHaveLength(50);
  });

  test('drops nothing that is being sent', async () => {
    const { made, lost } = buffer(kind, kind === 'size' ? 1200 : 10);
    for (const i of to(10)) made.add(event(i));
    await made.flush();
    const taken = await made.take();
    for (const i of to(30)) made.add(event(10 + i));
    for (const upload of taken) made.sent(upload);
    const sent = numbersOf(taken);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent).toEqual(to(sent.length));
    expect(made.count + lost() + sent.length).toBe(40);
  });
});

test.each(['size', 'event'] as const)(
  'events that cannot be compressed are counted as lost, and others go on (buffer by %s)',
  async (kind) => {
    const { made, takeAll, lost, encoder } = buffer(kind, 1_000_000);
    const { encode } = encoder;
    encoder.encode = () => Promise.reject(new RangeError('Invalid string length'));
    made.add(event(0));
    expect(await takeAll()).toEqual([]);
    encoder.encode = encode;
    made.add(event(1));
    expect(numbersOf(await takeAll())).toEqual([1]);
    expect([made.count, lost()]).toEqual([1, 1]);
  },
);

test('an event that is larger than the whole buffer does not empty it', () => {
  const { made, lost } = buffer('size', 2000);
  made.add(event(0));
  made.add(event(1, 5000));
  expect([made.count, lost()]).toEqual([1, 1]);
});

test('a queue keeps its order', () => {
  const queue = new Fifo<number>();
  const taken: (number | undefined)[] = [];
  for (const i of to(100)) {
    queue.push(i);
    if (i % 3 !== 0) taken.push(queue.shift());
  }
  queue.unshift([-2, -1]);
  taken.push(queue.shift(), queue.shift());
  while (queue.length > 0) taken.push(queue.shift());
  expect(taken.filter((i) => i! >= 0)).toEqual(to(100));
  expect(taken).toContain(-2);
  expect(queue.shift()).toBeUndefined();
});

test('a rate is that of each second, with as many at once', () => {
  const start = 1000;
  const rate = new RateLimit(5, start);
  const allowed = (seconds: number) => to(20).filter(() => rate.allows(start + seconds * 1000)).length;
  expect([allowed(0.01), allowed(0.02), allowed(0.41), allowed(10)]).toEqual([5, 0, 2, 5]);
});
