import { expect, test } from 'vitest';
import { type History, type Log, type Read, violations, type Write } from './history.js';

const write = (time: number, revision: number | undefined, values: Write['values']): Write => ({
  kind: 'write', client: 1, start: time, end: time + 1, revision, values,
}); // biome-ignore format: one line
const read = (time: number, revision: number, values: Read['values'], over: Partial<Read> = {}): Read => ({
  kind: 'read', client: 2, start: time, end: time + 1, revision, values, isStrong: false, atLeast: 0, ...over,
}); // biome-ignore format: one line

const log: Log = [{ a: 1 }, { b: 2, c: 3 }, { a: 4 }];
const sound: History = [
  write(0, 1, { a: 1 }),
  read(1, 0, {}),
  write(2, 2, { b: 2, c: 3 }),
  read(4, 1, { a: 1 }),
  read(4, 2, { a: 1, b: 2, c: 3 }, { isStrong: true }),
  write(6, undefined, { a: 4 }),
  write(8, undefined, { a: 9, b: 10 }),
  read(9, 3, { a: 4, b: 2, c: 3 }, { atLeast: 2 }),
];

test('a sound history has no violation', () => {
  expect(violations(sound, log)).toEqual([]);
});

test.each<[string, History, Log, RegExp]>([
  ['an answered write that is lost', [...sound, write(20, 4, { a: 20 })], log, /revision 4 is not in the log/],
  ['an answered write at another revision', [write(0, 2, { a: 1 })], log, /revision 2 is not in the log/],
  ['a write that was made twice', sound, [...log, { a: 4 }], /value 4 was written again at revision 4/],
  ['a transaction by halves', [write(0, undefined, { b: 2, d: 7 })], log, /by halves/],
  ['a transaction in two entries', [write(0, undefined, { a: 1, b: 2 })], log, /by halves/],
  ['a state that never was', [read(0, 1, { a: 4 })], log, /another state than that of revision 1/],
  ['a state of another revision', [read(0, 2, { a: 1 })], log, /another state/],
  ['a revision after the last one', [read(0, 9, { a: 1 })], log, /another state/],
  ['an own write that is not read', [read(0, 1, { a: 1 }, { atLeast: 2 })], log, /asked for revision 2 and read 1/],
  ['a strong read of an old state', [write(0, 1, { a: 1 }), read(5, 0, {}, { isStrong: true })], log, /strong read .* revision 0 after 1/],
  [
    'strong reads that go back',
    [read(0, 3, { a: 4, b: 2, c: 3 }, { isStrong: true }), read(5, 1, { a: 1 }, { isStrong: true })],
    log,
    /revision 1 after 3 was answered/,
  ],
  ['writes in another order', [write(0, 3, { a: 4 }), write(5, 1, { a: 1 })], log, /a write .* revision 1 after 3/],
  ['a value from the future', [read(0, 1, { a: 1 }), write(5, 1, { a: 1 })], log, /read value 1 before it was written/],
])('%s is found', (_title, history, entries, message) => {
  expect(violations(history, entries).join('\n')).toMatch(message);
});
