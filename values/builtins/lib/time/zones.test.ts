import { expect, test } from 'vitest';
import { fromLocal, zoneNamed } from './zones.js';

const seconds = (text: string) => Date.parse(text) / 1000;

test.each([
  ['America/New_York', '2024-01-15T12:00:00Z', -5 * 3600, 'EST'],
  ['America/New_York', '2024-07-15T12:00:00Z', -4 * 3600, 'EDT'],
  ['Europe/Dublin', '2024-07-15T12:00:00Z', 3600, 'IST'],
  ['Europe/Minsk', '2024-07-15T12:00:00Z', 3 * 3600, '+03'],
  ['Asia/Kathmandu', '2024-07-15T12:00:00Z', 20_700, '+0545'],
  ['America/Sao_Paulo', '2024-07-15T12:00:00Z', -3 * 3600, '-03'],
  ['Pacific/Guam', '2024-07-15T12:00:00Z', 36_000, 'ChST'],
  ['Etc/GMT+5', '2024-07-15T12:00:00Z', -5 * 3600, '-05'],
  ['GMT', '2024-07-15T12:00:00Z', 0, 'GMT'],
  ['America/New_York', '1850-01-01T00:00:00Z', -17_762, 'LMT'],
])('%s at %s', (name, at, offset, abbreviation) => {
  const zone = zoneNamed(name);
  expect([zone.offsetAt(seconds(at)), zone.abbreviationAt(seconds(at))]).toEqual([offset, abbreviation]);
});

test('a clock that is turned back shows a time twice: the first one counts', () => {
  const zone = zoneNamed('America/New_York');
  expect(fromLocal(seconds('2024-11-03T01:30:00Z'), zone)).toBe(seconds('2024-11-03T05:30:00Z'));
});

test('a clock that is put forward skips a time: it is read by the offset after', () => {
  const zone = zoneNamed('America/New_York');
  expect(fromLocal(seconds('2024-03-10T02:30:00Z'), zone)).toBe(seconds('2024-03-10T06:30:00Z'));
});

test('zones are known by their names alone', () => {
  for (const name of ['Mars/Olympus', 'europe/berlin', '+01:00', '../etc', '/etc/x']) expect(() => zoneNamed(name), name).toThrow();
});

test('offsets are the same when they are remembered', () => {
  const zone = zoneNamed('America/St_Johns');
  // Clocks were put forward one minute after midnight until 2011.
  const turn = seconds('2010-03-14T03:31:00Z');
  for (let i = 0; i < 2; i++) {
    expect(zone.offsetAt(turn - 1)).toBe(-12_600);
    expect(zone.offsetAt(turn)).toBe(-9000);
    expect(zone.offsetAt(turn - 86_400)).toBe(-12_600);
    expect(zone.offsetAt(turn + 86_400)).toBe(-9000);
  }
});
