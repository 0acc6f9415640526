/** Shared by tests of built-ins: a context with a fixed time, and calls as the VM makes them. */

import type { Builtin } from '../../values/builtins/builtin.js';
import type { BuiltinContext } from '../../values/builtins/builtin-context.js';
import { HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import type { Host } from '../../values/builtins/host.js';
import { readersOf, readOperands } from '../../values/builtins/read-operands.js';
import { builtins } from '../../values/builtins/registry.js';
import { compare, sortedEntries, sortedMembers } from '../../values/compare.js';
import { SizeError } from '../../values/memory.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import { isArray, isObject, isSet, type Value } from '../../values/value.js';
import { watchWork } from '../../values/work.js';

export function testContext(host: Host = {}, overrides: Partial<BuiltinContext> = {}): BuiltinContext {
  return {
    timeNs: 1_700_000_000_123_456_789n,
    random: () => 0.5,
    memory: new Map(),
    caches: new CacheSet(),
    host,
    runtime: { env: { HOME: '/root' }, version: 'test' },
    print: () => {},
    trace: () => {},
    tick: () => {},
    wait: () => {
      throw new Error('nothing to wait for in this test');
    },
    strict: true,
    parseModule: undefined,
    ...overrides,
  };
}

/** Calls a built-in as the VM does: its library loaded, its work counted, its operands read. */
export async function callBuiltin(name: string, operands: readonly Value[], context: BuiltinContext): Promise<Value | undefined> {
  const row = builtins.get(name);
  if (row === undefined) throw new Error(`no built-in ${name}`);
  await row.load?.();
  const before = watchWork(context);
  try {
    return counted(row, operands, context);
  } catch (error) {
    throw error instanceof SizeError ? new HaltError('eval_cancel_error', error.message) : error;
  } finally {
    watchWork(before);
  }
}

function counted(row: Builtin, operands: readonly Value[], context: BuiltinContext): Value | undefined {
  if (typeof row.cost === 'function') context.tick(row.cost(...operands));
  const values = readOperands(readersOf(row.args), operands, context);
  const fixed = values.slice(0, row.args.length);
  return row.variadic === undefined ? row.body(...fixed, context) : row.body(...fixed, values.slice(row.args.length), context);
}

/**
 * The value of fixture JSON, with `{"$set": […]}` for sets and `{"$object": [[key, value], …]}` for
 * objects with any keys.
 */
export function fromFixture(json: Value): Value {
  if (isArray(json)) return json.map(fromFixture);
  if (!isObject(json) || json instanceof RegoObject) return json;
  if (isArray(json.$set as Value)) return new RegoSet((json.$set as readonly Value[]).map(fromFixture));
  if (isArray(json.$object as Value)) {
    return new RegoObject((json.$object as readonly [Value, Value][]).map(([k, v]) => [fromFixture(k), fromFixture(v)] as const));
  }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fromFixture(value)]));
}

/** A value in the words of fixture JSON, so that a failed comparison reads well. */
export function toFixture(value: Value): Value {
  if (isSet(value)) return { $set: sortedMembers(value).map(toFixture) };
  if (isArray(value)) return value.map(toFixture);
  if (!isObject(value)) return value;
  const entries = [...sortedEntries(value)].map(([k, v]) => [toFixture(k), toFixture(v)] as const);
  if (entries.every(([key]) => typeof key === 'string')) return Object.fromEntries(entries as [string, Value][]);
  return { $object: entries.sort(([a], [b]) => compare(a, b)) };
}
