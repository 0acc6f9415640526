import { expect, test } from 'vitest';
import { FramingError, framed, longestMessage, MessageReader } from './framing.js';

/** The messages of a stream that arrives in chunks of so many bytes. */
function messagesOf(bytes: Buffer, length: number): string[] {
  const reader = new MessageReader();
  const messages: string[] = [];
  for (let i = 0; i < bytes.length; i += length) messages.push(...reader.read(bytes.subarray(i, i + length)));
  return messages;
}

test.each([1, 2, 3, 7, 1000])('messages are read from chunks of %i bytes', (length) => {
  const sent = [{ seq: 1, text: 'ö\r\n\r\n€' }, { seq: 2 }, { seq: 3, text: 'x'.repeat(500) }];
  const bytes = Buffer.from(sent.map(framed).join(''));
  expect(messagesOf(bytes, length).map((text) => JSON.parse(text) as unknown)).toEqual(sent);
});

test.each(['content-length:2\r\n\r\n', 'Content-Length : 2 \r\n\r\n', 'Content-Type: x\r\nContent-Length: 2\r\n\r\n'])(
  '%j is a header',
  (header) => {
    expect(messagesOf(Buffer.from(`${header}{}`), 5)).toEqual(['{}']);
  },
);

test.each([
  ['no header', 'hello\r\n\r\n'],
  ['an empty header', '\r\n\r\n'],
  ['no length', 'Content-Type: x\r\n\r\n'],
  ['a negative length', 'Content-Length: -1\r\n\r\n'],
  ['a length that is no number', 'Content-Length: 1e3\r\n\r\n'],
  ['a length of a gigabyte', 'Content-Length: 1073741824\r\n\r\n'],
  ['a length beyond all numbers', `Content-Length: ${'9'.repeat(400)}\r\n\r\n`],
  ['a message that is a byte too long', `Content-Length: ${longestMessage + 1}\r\n\r\n`],
  ['a header without an end', 'Content-Length: '.padEnd(5000, '1')],
  ['bare line feeds', 'Content-Length: 2\n\n{}'.padEnd(5000)],
  ['a request of HTTP, as pages in a browser send it', 'POST / HTTP/1.1\r\nHost: localhost:4712\r\nContent-Length: 2\r\n\r\n{}'],
])('%s ends the stream', (_title, text) => {
  expect(() => messagesOf(Buffer.from(text), 100)).toThrow(FramingError);
});

test('a long message in small chunks takes time in proportion', () => {
  const text = 'x'.repeat(2_000_000);
  expect(messagesOf(Buffer.from(framed({ text })), 512)).toHaveLength(1);
});
