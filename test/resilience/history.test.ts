import { expect, test } from 'vitest';
import { type History, type Log, type Read, violations, type Write } from './history.js';

function write(time: number, revision: number | undefined, values: Write['values'], over: Partial<Write> = {}): Write {
  return { kind: 'write', client: 1, start: time, end: time + 1, revision, values, isRefused: false, ...over };
}

function read(time: number, revision: number, values: Read['values'], over: Partial<Read> = {}): Read {
  return { kind: 'read', client: 2, start: time, end: time + 1, revision, values, isStrong: false, atLeast: 0, ...over };
}

const log: Log = [{ a: 1 }, { b: 2, c: 3 }, { a: 4 }];
const [first, second, third] = [{ a: 1 }, { a: 1, b: 2, c: 3 }, { a: 4, b: 2, c: 3 }];
const writes = [write(0, 1, { a: 1 }), write(2, 2, { b: 2, c: 3 }), write(6, undefined, { a: 4 })] as const;
const sound: History = [
  ...writes,
  read(1, 0, {}),
  read(4, 1, first),
  read(4, 2, second, { isStrong: true }),
  write(8, undefined, { a: 9, b: 10 }),
  write(8, undefined, { a: 11 }, { isRefused: true }),
  read(9, 3, third, { atLeast: 2 }),
];

test('a sound history has no violation', () => {
  expect(violations(sound, log)).toEqual([]);
});

test.each<[string, History, RegExp, Log?]>([
  ['an answered write that is lost', [write(20, 4, { a: 20 })], /revision 4 is not in the log/],
  ['an answered write at another revision', [write(20, 3, { a: 20 })], /revision 3 is not in the log/],
  ['a write that was made twice', [], /value 4 was written again at revision 4/, [...log, { a: 4 }]],
  ['a transaction by halves', [write(10, undefined, { d: 7, e: 8 })], /revision 4 is no write/, [...log, { d: 7 }]],
  ['a transaction in two entries', [write(10, undefined, { d: 7, e: 8 })], /revision 5 is no write/, [...log, { d: 7 }, { e: 8 }]],
  ['a transaction with a foreign value', [write(10, undefined, { d: 7 })], /revision 4 is no write/, [...log, { d: 7, e: 8 }]],
  ['an entry that nobody wrote', [], /revision 4 is no write/, [...log, { d: 7 }]],
  ['an entry with nothing', [], /revision 4 is no write/, [...log, {}]],
  ['a refused write that was made', [write(10, undefined, { d: 7 }, { isRefused: true })], /a refused write/, [...log, { d: 7 }]],
  ['a state that never was', [read(0, 1, { a: 4 })], /another state than that of revision 1/],
  ['a state of another revision', [read(10, 2, first)], /another state/],
  ['a revision after the last one', [read(10, 9, first)], /another state/],
  ['an own write that is not read', [read(10, 1, first, { atLeast: 2 })], /asked for revision 2 and read 1/],
  ['a strong read of an old state', [read(9, 1, first, { isStrong: true })], /strong read .* revision 1 after 2 was seen/],
  ['a strong read behind a read', [read(12, 2, second, { isStrong: true })], /strong read .* revision 2 after 3 was seen/],
  ['a write behind a read', [read(1.5, 2, second), write(4, 2, { b: 2, c: 3 })], /a write .* revision 2 after 2 was seen/],
  ['writes in another order', [write(20, 3, { a: 4 }), write(30, 1, { a: 1 })], /a write .* revision 1 after 3/],
  ['a value from the future', [read(-3, 1, first)], /read value 1 before it was written/],
])('%s is found', (_title, added, message, entries = log) => {
  expect(violations([...sound, ...added], entries).join('\n')).toMatch(message);
});
