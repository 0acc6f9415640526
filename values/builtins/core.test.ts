/**
 * Tests of core built-ins that fixtures cannot express: output, memory, unchanged operands, depth
 * and length.
 */
import { expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../test/harness/builtins.js';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { toJson } from '../json/json.js';
import { RegoSet } from '../set.js';
import type { Value } from '../value.js';

test('print writes a line for each combination of values', async () => {
  const lines: string[] = [];
  const context = testContext({}, { print: (line) => lines.push(line) });
  await callBuiltin('internal.print', [[new RegoSet(['a', 'b']), new RegoSet([1]), new RegoSet()]], context);
  expect(lines).toEqual(['a 1 <undefined>', 'b 1 <undefined>']);
});

test('trace takes a note', async () => {
  const notes: string[] = [];
  await callBuiltin('trace', ['here'], testContext({}, { trace: (note) => notes.push(note) }));
  expect(notes).toEqual(['here']);
});

test('random answers are the same for the same operands of one evaluation', async () => {
  const context = testContext({}, { random: Math.random });
  for (const [name, operands] of [
    ['rand.intn', ['key', 1_000_000_007]],
    ['uuid.rfc4122', ['key']],
  ] as const) {
    const first = await callBuiltin(name, operands, context);
    expect(await callBuiltin(name, operands, context)).toEqual(first);
    expect(await callBuiltin(name, ['another', ...operands.slice(1)], context)).not.toEqual(first);
    expect(await callBuiltin(name, operands, testContext({}, { random: Math.random }))).not.toEqual(first);
  }
});

test('opa.runtime leaves out credentials and keys', async () => {
  const runtime = {
    config: {
      labels: { id: 'x' },
      services: { acme: { url: 'https://acme', credentials: { bearer: { token: 'secret' } } } },
      keys: { k1: { algorithm: 'RS256', key: 'secret', private_key: 'secret' } },
    },
    version: '1',
  };
  const shown = await callBuiltin('opa.runtime', [], testContext({}, { runtime }));
  expect(shown).toEqual({
    config: { labels: { id: 'x' }, services: { acme: { url: 'https://acme' } }, keys: { k1: { algorithm: 'RS256' } } },
    version: '1',
  });
  expect(toJson(runtime)).toContain('secret');
});

test('opa.runtime leaves out credentials of services that are listed', async () => {
  const runtime = { config: { services: [{ name: 'acme', credentials: {} }] } };
  const shown = await callBuiltin('opa.runtime', [], testContext({}, { runtime }));
  expect(shown).toEqual({ config: { services: [{ name: 'acme' }] } });
});

test('rego.parse_module asks the parser of the context', async () => {
  const context = testContext({}, { parseModule: (filename, text) => ({ filename, text }) });
  expect(await callBuiltin('rego.parse_module', ['x.rego', 'package x'], context)).toEqual({ filename: 'x.rego', text: 'package x' });
});

test.each<[string, Value[]]>([
  ['array.reverse', [[1, 2]]],
  ['array.concat', [[1], [2]]],
  ['sort', [[2, 1]]],
  ['object.union', [{ a: { b: 1 } }, { a: { c: 2 } }]],
  ['object.union_n', [[{ a: { b: 1 } }, { a: { c: 2 } }, { a: { d: 3 } }]]],
  ['json.remove', [{ a: { b: [1, 2] } }, ['a/b/0']]],
  ['json.filter', [{ a: { b: [1, 2] } }, ['a/b/0']]],
  ['json.patch', [{ a: { b: [1, 2] } }, [{ op: 'add', path: '/a/b/0', value: 0 }]]],
])('%s leaves its operands alone', async (name, operands) => {
  const before = toJson(operands);
  await callBuiltin(name, operands, testContext());
  expect(toJson(operands)).toBe(before);
});

test('values that a patch puts in are not changed by the next one', async () => {
  const value = { list: [1] };
  const patches = [
    { op: 'add', path: '/a', value },
    { op: 'add', path: '/a/list/-', value: 2 },
  ];
  expect(await callBuiltin('json.patch', [{}, patches], testContext())).toEqual({ a: { list: [1, 2] } });
  expect(value).toEqual({ list: [1] });
});

test('many patches to a large array copy it once', async () => {
  const target = Array.from({ length: 100_000 }, (_, i) => i);
  const patches = Array.from({ length: 2_000 }, (_, i) => ({ op: 'replace', path: `/${i}`, value: -1 }));
  await expectBoundedWork(async () => {
    const patched = (await callBuiltin('json.patch', [target, patches], testContext())) as Value[];
    expect(patched[1999]).toBe(-1);
  });
});

test('walk goes down as deep as documents may be', async () => {
  let deep: Value = 1;
  for (let i = 0; i < 2_000; i++) deep = [deep];
  expect(((await callBuiltin('walk', [deep], testContext())) as Value[]).length).toBe(2_001);
});

test('paths may be as long as a graph has nodes', async () => {
  const graph = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, i < 19_999 ? [`n${i + 1}`] : []]));
  const paths = (await callBuiltin('graph.reachable_paths', [graph, ['n0']], testContext())) as RegoSet;
  expect((([...paths] as Value[][])[0] ?? []).length).toBe(20_000);
});

test.each<[string, Value[]]>([
  ['numbers.range', [0, 100_000]],
  ['net.cidr_expand', ['10.0.0.0/16']],
  ['graph.reachable_paths', [Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i, [0, 1, 2, 3, 4, 5, 6, 7, 8].map(String)])), ['0']]],
  ['walk', [Array.from({ length: 10_000 }, () => [])]],
  ['array.concat', [Array(200_000).fill(1), Array(200_000).fill(2)]],
  ['concat', ['', ['x'.repeat(2_000_000)]]],
  ['net.cidr_contains_matches', [Array(200).fill('10.0.0.0/8'), Array(200).fill('10.0.0.1')]],
])('%s can be stopped', async (name, operands) => {
  let units = 0;
  const tick = (n: number) => {
    units += n;
    if (units > 1_000) throw new Error('stopped');
  };
  await expect(callBuiltin(name, operands, testContext({}, { tick }))).rejects.toThrow('stopped');
});
