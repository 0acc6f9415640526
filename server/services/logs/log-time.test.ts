import { expect, test } from 'vitest';
import { utc, zoneNamed } from '../../../values/builtins/lib/time/zones.js';
import { timeTextOf } from './log-time.js';
import { Logger } from './logger.js';

const moment = Date.UTC(2026, 10, 20, 13, 5, 7, 45);

test.each([
  ['', 'UTC', '2026-11-20T13:05:07Z'],
  ['', 'Europe/Berlin', '2026-11-20T14:05:07+01:00'],
  ['2006-01-02T15:04:05.000Z07:00', 'UTC', '2026-11-20T13:05:07.045Z'],
  ['Mon Jan _2 3:04PM MST', 'Europe/Berlin', 'Fri Nov 20 2:05PM CET'],
  ['no layout', 'UTC', 'no layout'],
])('%j in %s is %s', (layout, zone, expected) => {
  expect(timeTextOf(layout, zone === 'UTC' ? utc : zoneNamed(zone))(moment)).toBe(expected);
});

test('lines have a time, except those of text', () => {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  new Logger({ level: 'info', format: 'json', timeLayout: '2006', write }).info('a');
  new Logger({ level: 'info', format: 'json-pretty', write }).info('a');
  new Logger({ level: 'info', format: 'text', timeLayout: '2006', write }).info('a', { b: 1 });
  expect(JSON.parse(lines[0]!)).toEqual({ level: 'info', msg: 'a', time: expect.stringMatching(/^20\d\d$/) });
  expect(JSON.parse(lines[1]!).time).toMatch(/^20\d\d-\d\d-\d\dT/);
  expect(lines[2]).toBe('[INFO] a\n  b = 1\n');
});
