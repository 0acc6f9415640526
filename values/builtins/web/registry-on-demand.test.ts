/** Isolated: rows that another file has loaded stay loaded. */
import { expect, test } from 'vitest';
import { builtins } from '../registry.js';
import { loadBuiltins, builtins as onDemand } from './registry-on-demand.js';

test('rows that are loaded on demand are those of the registry', async () => {
  expect(() => onDemand.get('graph.reachable')).toThrow('are not loaded');
  await loadBuiltins(new Set(['graph.reachable', 'no.such']));
  expect(onDemand.get('walk')).toBe(builtins.get('walk'));
  expect(() => onDemand.get('count')).toThrow('are not loaded');
  await loadBuiltins();
  expect([...onDemand]).toEqual([...builtins]);
});
