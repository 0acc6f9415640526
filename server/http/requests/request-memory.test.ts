import { expect, test } from 'vitest';
import { heapLimit } from '../../../services/held-memory.js';
import { RequestMemory } from './request-memory.js';

const error = (status: number) => expect.objectContaining({ status }) as unknown;

test('a request gets no more memory than the heap has for requests, and others get what is left', () => {
  const one = new RequestMemory();
  const other = new RequestMemory();
  expect(() => one.take(heapLimit)).toThrow(error(413));
  one.take(heapLimit / 5);
  expect(() => other.take(heapLimit / 4)).toThrow(error(503));
  other.take(1000);
  one.release();
  one.release();
  other.take(heapLimit / 4);
  other.release();
});

test('what is taken little by little counts as much', () => {
  const memory = new RequestMemory();
  let parts = 0;
  expect(() => {
    for (; parts < 1000; parts++) memory.take(heapLimit / 1000);
  }).toThrow(error(413));
  expect(parts).toBeGreaterThan(200);
  memory.release();
});
