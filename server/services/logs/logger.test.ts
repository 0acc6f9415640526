import { expect, test, vi } from 'vitest';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { Logger } from './logger.js';

function lineOf(fields: PlainObject): string {
  let line = '';
  new Logger({ level: 'info', format: 'json', write: (text) => (line = text) }).info('said', fields);
  return line.replace(/"time":"[^"]*"/, '"time":""');
}

test('a line of JSON has its keys in order, whatever its values are', () => {
  expect(lineOf({ z: 1, a: 'x"y\n', m: true, pi: 3.25 })).toBe(
    '{"a":"x\\"y\\n","level":"info","m":true,"msg":"said","pi":3.25,"time":"","z":1}\n',
  );
  expect(lineOf({ z: { y: 1, x: [2] }, a: null })).toBe('{"a":null,"level":"info","msg":"said","time":"","z":{"x":[2],"y":1}}\n');
});

test('every digit of what is logged is kept', () => {
  expect(lineOf({ n: parseJson('12345678901234567890.10') })).toBe('{"level":"info","msg":"said","n":12345678901234567890.10,"time":""}\n');
});

test('fields of like names are told apart', () => {
  expect(lineOf({ 'b,c': 1, a: 2 })).toContain('"a":2,"b,c":1');
  expect(lineOf({ b: 1, c: 3, a: 2 })).toContain('"a":2,"b":1,"c":3');
  expect(lineOf({ 'b,c': 1, a: 2 })).toContain('"a":2,"b,c":1');
});

test('how many lines were dropped is told with the next one', () => {
  const lines: string[] = [];
  let isFull = false;
  const logger = new Logger({ level: 'info', format: 'text', write: (text) => (isFull ? false : lines.push(text)) });
  expect(logger.info('a')).toBe(true);
  isFull = true;
  expect([logger.info('b'), logger.info('c'), logger.debug('not written at this level')]).toEqual([false, false, true]);
  isFull = false;
  expect(logger.info('d')).toBe(true);
  expect(logger.info('e')).toBe(true);
  const complaint = '[ERROR] Dropped 2 log lines: too many were waiting to be read.\n';
  expect(lines).toEqual(['[INFO] a\n', '[INFO] d\n', complaint, '[INFO] e\n']);
});

test.each(['json', 'json-pretty', 'text'] as const)(
  'a long line of %s is written in slices while its values are held, as at once',
  async (format) => {
    const lines: string[] = [];
    const logger = new Logger({ level: 'info', format, timeLayout: '2006', write: (text) => void lines.push(text) });
    const fields = { keys: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, [i]])), last: 1 };
    logger.show('said', fields);
    const release = vi.fn();
    const written = logger.show('said', fields, () => ({ release }));
    expect(written).toBeInstanceOf(Promise);
    logger.info('another');
    expect(release).not.toHaveBeenCalled();
    expect(await written).toBe(true);
    expect(release).toHaveBeenCalledOnce();
    expect(lines.length).toBe(3);
    expect(lines[2]).toBe(lines[0]);
  },
);

test('a short line is written at once, and nothing is held for it', () => {
  const hold = vi.fn();
  const logger = new Logger({ level: 'info', format: 'json', write: () => undefined });
  expect(logger.show('said', { a: 1 }, hold)).toBe(true);
  expect(hold).not.toHaveBeenCalled();
});
