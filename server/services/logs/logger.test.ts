import { expect, test } from 'vitest';
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
