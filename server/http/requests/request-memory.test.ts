import { expect, test } from 'vitest';
import { heapSizeLimit } from '../../services/held-memory.js';
import { RequestMemory } from './request-memory.js';

const error = (status: number) => expect.objectContaining({ status }) as unknown;

test('a request gets no more memory than the heap has for requests, and others get what is left', () => {
  const one = new RequestMemory();
  const other = new RequestMemory();
  expect(() => one.take(heapSizeLimit)).toThrow(error(413));
  one.take(heapSizeLimit / 5);
  expect(() => other.take(heapSizeLimit / 4)).toThrow(error(503));
  other.take(1000);
  one.release();
  one.release();
  other.take(heapSizeLimit / 4);
  other.release();
});

test('what is taken little by little counts as much', () => {
  const memory = new RequestMemory();
  let parts = 0;
  expect(() => {
    for (; parts < 1000; parts++) memory.take(heapSizeLimit / 1000);
  }).toThrow(error(413));
  expect(parts).toBeGreaterThan(200);
  memory.release();
});
