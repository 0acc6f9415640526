import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { threadScript } from '../../test/harness/engine-thread.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { sortedKeys } from '../../values/compare.js';
import type { PlainObject, Value } from '../../values/value.js';
import { ArrayIndexes, readerOf } from '../evaluation/array-indexes.js';
import { objectIndex } from '../evaluation/object-indexes.js';
import { MemoryStore } from './memory-store.js';
import type { DataOperation } from './store.js';
import { StoreError } from './store-errors.js';

const at = (path: string) => path.split('/').filter((segment) => segment !== '');
const add = (path: string, value: Value): DataOperation => ({ op: 'add', path: at(path), value });
const put = (path: string, value: Value): DataOperation => ({ op: 'write', path: at(path), value });
const replace = (path: string, value: Value): DataOperation => ({ op: 'replace', path: at(path), value });
const remove = (path: string): DataOperation => ({ op: 'remove', path: at(path) });

const documents = (): PlainObject => ({ a: { b: { c: 1 } }, arr: [1, 2, 3], objs: [{ id: 1 }, { id: 2 }], s: 'text', nul: null });

function wide(keys: number): PlainObject {
  return Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key${i}`, { n: i }]));
}

describe('single operations', () => {
  test.each<[string, DataOperation, string, Value]>([
    ['add sets a key', add('a/x', 1), 'a', { b: { c: 1 }, x: 1 }],
    ['add overwrites a key', add('a/b', 1), 'a', { b: 1 }],
    ['add inserts before a position', add('arr/1', 'new'), 'arr', [1, 'new', 2, 3]],
    ['add appends at a dash', add('arr/-', 4), 'arr', [1, 2, 3, 4]],
    ["add appends at the array's length", add('arr/3', 4), 'arr', [1, 2, 3, 4]],
    ['replace sets an element', replace('arr/0', 'z'), 'arr', ['z', 2, 3]],
    ['replace takes a scalar', replace('s', 'other'), 's', 'other'],
    ['remove takes a key away', remove('a/b'), 'a', {}],
    ['remove takes an element away', remove('arr/0'), 'arr', [2, 3]],
    ['put makes the objects on the way', put('p/q/r', true), 'p', { q: { r: true } }],
    ['put below an element of an array', put('objs/0/name', 'n'), 'objs', [{ id: 1, name: 'n' }, { id: 2 }]],
    ['put at a position that there is inserts', put('arr/0', 'first'), 'arr', ['first', 1, 2, 3]],
    ['put replaces the root', put('', { only: 1 }), '', { only: 1 }],
    ['keys of the prototype are keys like any other', put('__proto__/constructor', 1), '__proto__', { constructor: 1 }],
  ])('%s', (_title, operation, path, expected) => {
    const store = new MemoryStore(documents());
    store.apply([operation]);
    expect(store.read(at(path))).toEqual(expected);
    expect(Object.getPrototypeOf(store.root)).toBe(Object.prototype);
  });

  test.each<[DataOperation, string]>([
    [add('no/such', 1), 'storage_not_found_error: document does not exist'],
    [add('s/x', 1), 'storage_not_found_error: document does not exist'],
    [add('arr/99', 1), 'storage_not_found_error: /arr/99: array index out of range'],
    [add('arr/-1', 1), 'storage_not_found_error: /arr/-1: array index out of range'],
    [add('arr/x', 1), 'storage_not_found_error: /arr/x: array index must be integer'],
    [add('arr/99999999999999999999', 1), 'storage_not_found_error: /arr/99999999999999999999: array index must be integer'],
    [replace('arr/3', 1), 'storage_invalid_patch_error: /arr/3: invalid patch path'],
    [replace('arr/4', 1), 'storage_not_found_error: /arr/4: array index out of range'],
    [replace('arr/-', 1), 'storage_invalid_patch_error: /arr/-: invalid patch path'],
    [replace('a/nosuch', 1), 'storage_not_found_error: document does not exist'],
    [remove('toString'), 'storage_not_found_error: document does not exist'],
    [remove('a b/c(d)'), 'storage_not_found_error: document does not exist'],
    [remove(''), 'storage_invalid_patch_error: root cannot be removed'],
    [put('', [1]), 'storage_invalid_patch_error: root must be object'],
    [replace('', null), 'storage_invalid_patch_error: root must be object'],
    [put('s/x/y', 1), 'storage_write_conflict_error: /s'],
    [put('nul/x', 1), 'storage_write_conflict_error: /nul'],
    [put('arr/9', 1), 'storage_write_conflict_error: /arr'],
    [put('arr/-', 1), 'storage_write_conflict_error: /arr'],
    [put('objs/7/name', 1), 'storage_write_conflict_error: /objs'],
  ])('%j fails: %s', (operation, message) => {
    const store = new MemoryStore(documents());
    expect(() => store.apply([operation])).toThrow(
      new StoreError(message.split(':')[0] as StoreError['code'], message.replace(/^\w+: /, '')),
    );
    expect(store.root).toEqual(documents());
    expect(store.version).toBe(0);
  });

  test('a path of thousands of segments is refused', () => {
    expect(() => new MemoryStore().apply([{ op: 'write', path: Array(100_000).fill('x'), value: 1 }])).toThrow(/segments/);
  });
});

describe('transactions', () => {
  test('later operations see earlier ones, others see nothing before the commit', () => {
    const store = new MemoryStore(documents());
    const transaction = store.begin();
    transaction.write(add('a/one', { deep: 1 }));
    transaction.write(replace('a/one/deep', 2));
    transaction.write(add('arr/-', 4));
    transaction.write(remove('arr/0'));
    expect(transaction.read(['a'])).toEqual({ b: { c: 1 }, one: { deep: 2 } });
    expect(store.root).toEqual(documents());
    transaction.commit();
    expect(store.read(['a', 'one', 'deep'])).toBe(2);
    expect(store.read(['arr'])).toEqual([2, 3, 4]);
  });

  test('nothing of an aborted one is visible, and another may begin', () => {
    const store = new MemoryStore(documents());
    const transaction = store.begin();
    transaction.write(remove('a'));
    transaction.abort();
    expect(store.root).toEqual(documents());
    expect(() => transaction.write(remove('s'))).toThrow('stale transaction');
    store.begin().abort();
  });

  test('one at a time', () => {
    const store = new MemoryStore();
    store.begin();
    expect(() => store.begin()).toThrow('storage_invalid_txn_error: another transaction is open');
  });

  test('a list that fails in its middle changes nothing, in a large object neither', () => {
    const store = new MemoryStore({ big: wide(2000) });
    store.apply([put('big/first', 1)]);
    const before = structuredClone(store.root);
    expect(() => store.apply([put('big/new', 1), remove('big/key7'), remove('big/nosuch')])).toThrow(StoreError);
    expect(store.root).toEqual(before);
  });

  test('a given value is not changed by later operations', () => {
    const store = new MemoryStore();
    const value = { list: [1] };
    store.apply([put('x', value), add('x/list/-', 2), put('x/more', 1)]);
    expect(value).toEqual({ list: [1] });
    expect(store.read(['x'])).toEqual({ list: [1, 2], more: 1 });
  });

  test.each<[string, boolean]>([
    ['a/b', true],
    ['a/b/c/below/a/scalar', true],
    ['a/x', false],
    ['nosuch/x', false],
    ['arr/0', true],
    ['arr/x', true],
    ['nul', true],
    ['toString', false],
  ])('whether %s is occupied: %s', (path, expected) => {
    const store = new MemoryStore(documents());
    expect(store.occupied(at(path))).toBe(expected);
    const transaction = store.begin();
    transaction.write(put('a/y', 1));
    expect(transaction.occupied(at(path))).toBe(expected);
  });
});

describe('versions', () => {
  test('a held version stays unchanged, and shares the unchanged parts', () => {
    const store = new MemoryStore({ big: wide(2000), other: { x: 1 } });
    const held = store.hold();
    const before = structuredClone(held.root);
    store.apply([put('big/key1', 'changed'), remove('big/key2')]);
    const commit = store.apply([put('big/key3', 'changed')]);
    expect(held.root).toEqual(before);
    expect(commit.changedInPlace).toEqual([]);
    expect(store.root.other).toBe(held.root.other);
    expect((store.root.big as PlainObject).key9).toBe((held.root.big as PlainObject).key9);
    held.release();
    held.release();
    const { big } = store.root;
    expect(store.apply([put('big/key4', 0)]).changedInPlace).toContain(big);
    expect(store.root.big).toBe(big);
  });

  test('a given document is never changed, and a shared one only at the written path', () => {
    const big = wide(1000);
    const before = structuredClone(big);
    const store = new MemoryStore({ a: big, b: big });
    for (let i = 0; i < 3; i++) store.apply([put(`a/new${i}`, i), remove(`a/key${i}`)]);
    expect(store.apply([put('a/new', 1)]).changedInPlace).toContain(store.root.a);
    expect(big).toEqual(before);
    expect(store.root.b).toBe(big);
    store.apply([{ op: 'write', path: ['c'], value: big }, put('c/x', 1), put('c/y', 2)]);
    expect(big).toEqual(before);
    expect(store.read(['c', 'x'])).toBe(1);
  });

  test('a transferred document is written in place from the first write on, and so are its parts', () => {
    const store = new MemoryStore({}, { transferred: true });
    const { root } = store;
    const big = wide(1000);
    const inner = big.key1;
    store.apply([{ op: 'write', path: ['p', 'q'], value: big, transferred: true }]);
    store.apply([put('p/q/new', 1), remove('p/q/key0')]);
    const commit = store.apply([put('p/q/key1/n', 2)]);
    expect(commit.changedInPlace).toEqual([inner]);
    expect(store.read(['p', 'q'])).toBe(big);
    expect(big).toEqual({ ...wide(1000), key0: undefined, key1: { n: 2 }, new: 1 });
    expect(Object.hasOwn(big, 'key0')).toBe(false);
    expect(store.root).toBe(root);
  });

  test('a document that is not transferred stays unchanged beside transferred ones, at any path', () => {
    const store = new MemoryStore({}, { transferred: true });
    const own = wide(600);
    const given = { deep: { list: [{ x: 1 }] }, flat: 1 };
    const before = structuredClone(given);
    store.apply([
      { op: 'write', path: ['own'], value: own, transferred: true },
      { op: 'write', path: ['own', 'given'], value: given },
      { op: 'write', path: ['other', 'given'], value: given },
    ]);
    store.apply([put('own/given/deep/list/0/x', 2), put('own/given/flat', 2), put('other/given/deep/y', 3)]);
    store.apply([put('own/given/deep/list/0/x', 4), remove('own/given/flat'), add('other/given/deep/list/-', 3)]);
    expect(given).toEqual(before);
    expect(store.read(['own', 'given'])).toEqual({ deep: { list: [{ x: 4 }] } });
    expect(store.read(['other', 'given'])).toEqual({ deep: { list: [{ x: 1 }, 3], y: 3 }, flat: 1 });
    expect(store.root.own).toBe(own);
  });

  test('writes in place before an error are rolled back', () => {
    const root: PlainObject = { a: wide(600), b: Object.freeze({ x: 1 }), z: 1 };
    const before = structuredClone(root);
    const store = new MemoryStore(root, { transferred: true });
    const keys = sortedKeys(store.root.a as PlainObject);
    expect(() => store.apply([put('a/key1', 'new'), put('a/more', 1), remove('a/key2'), put('b/y', 1), remove('z')])).toThrow(TypeError);
    expect(store.root).toEqual(before);
    expect(Object.keys(store.root.a as PlainObject).sort()).toEqual(Object.keys(before.a as PlainObject).sort());
    expect(sortedKeys(store.root.a as PlainObject)).toEqual(keys);
    expect(store.version).toBe(0);
    store.apply([put('a/key1', 'again')]);
    expect(store.read(['a', 'key1'])).toBe('again');
  });

  test('waiting for the release of all versions resolves', async () => {
    const store = new MemoryStore();
    expect(await store.whenFree(1)).toBe(true);
    const [one, two] = [store.hold(), store.hold()];
    expect(await store.whenFree(5)).toBe(false);
    const free = store.whenFree(10_000);
    one.release();
    two.release();
    expect(await free).toBe(true);
  });

  test('the order of keys of an object written in place is right afterwards', () => {
    const store = new MemoryStore(wide(600));
    store.apply([put('key1', 'the first write copies')]);
    const before = sortedKeys(store.root);
    store.apply([put('key0', 'same keys')]);
    expect(sortedKeys(store.root)).toBe(before);
    store.apply([put('a first key', 1), remove('key0')]);
    expect(sortedKeys(store.root)[0]).toBe('a first key');
    expect(sortedKeys(store.root)).not.toContain('key0');
  });

  test('an index of an array is never out of date', () => {
    const store = new MemoryStore({ list: Array.from({ length: 10 }, (_, i) => ({ ...wide(600), id: i })) });
    const indexes = new ArrayIndexes();
    const path = ['id'];
    const positions = (wanted: Value) => {
      for (let i = 0; i < 3; i++) indexes.index(store.root.list as Value[], path)?.positionsOf(wanted);
      return indexes.index(store.root.list as Value[], path)?.positionsOf(wanted);
    };
    expect(positions(3)).toEqual([3]);
    store.apply([replace('list/3/id', 'one')]);
    expect(positions('one')).toEqual([3]);
    expect(store.apply([replace('list/3/id', 'other')]).changedInPlace).toContain((store.root.list as Value[])[3]);
    expect(positions('one')).toEqual([]);
    expect(positions('other')).toEqual([3]);
    expect(positions(3)).toEqual([]);
  });
});

test('an index of an object is never out of date', () => {
  const operation = fc.tuple(fc.constantFrom('id', 'below/id', 'entry', 'list', 'failed'), fc.nat(9), fc.nat(3));
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 20 }), (operations) => {
      const entry = (id: number) => ({ ...wide(300), id, below: { id } });
      const store = new MemoryStore({ table: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`k${i}`, entry(i % 4)])) });
      const paths = [['id'], ['below', 'id']];
      const indexes = new ArrayIndexes();
      const check = () => {
        const table = store.root.table as { readonly [key: string]: { id: number; below: { id: number } } };
        const keys = Object.keys(table).sort();
        for (const path of paths) {
          for (let i = 0; i < 3; i++) objectIndex(indexes.objects(path), table, keys, readerOf(path));
          const found = objectIndex(indexes.objects(path), table, keys, readerOf(path));
          if (keys.length < 8) expect(found).toBeUndefined();
          else
            for (const id of [0, 1, 2, 3]) {
              const wanted = keys.filter((key) => (path.length === 1 ? table[key]!.id : table[key]!.below.id) === id);
              expect(found!.placesOf(id)).toEqual(wanted);
            }
        }
      };
      for (const [kind, i, id] of operations) {
        const at = `table/k${i}`;
        const known = Object.hasOwn(store.root.table as PlainObject, `k${i}`);
        if (kind === 'entry') store.apply([known ? remove(at) : add(at, entry(id))]);
        else if (kind === 'list' && known) store.apply([put(`${at}/list`, [{ id }])]);
        else if (kind === 'failed' && known) expect(() => store.apply([replace(`${at}/id`, id), remove('none')])).toThrow();
        else if (known) store.apply([replace(`${at}/${kind === 'below/id' ? kind : 'id'}`, id)]);
        check();
      }
    }),
    { numRuns: randomCases(60) },
  );
});

test('listeners hear of commits in order, until they are removed', () => {
  const store = new MemoryStore();
  const [seen, later]: [number[], number[]] = [[], []];
  const stop = store.onCommit(({ version }) => seen.push(version));
  store.apply([put('x', 1)]);
  store.onCommit(({ version }) => later.push(version));
  store.apply([put('x', 2)]);
  stop();
  store.apply([put('x', 3)]);
  expect([seen, later]).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

describe('against a model that copies everything', () => {
  const segment = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '__proto__', '0', '1', '2', '-'),
    fc.integer({ min: 0, max: 700 }).map((n) => `key${n}`),
  );
  const path = fc.array(segment, { maxLength: 4 });
  // The model copies by way of JSON text, which has no -0.
  const value = fc.jsonValue({ maxDepth: 2 }).map((one) => JSON.parse(JSON.stringify(one)) as Value);
  const operation: fc.Arbitrary<DataOperation> = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'write'), path, value }) as fc.Arbitrary<DataOperation>,
    fc.record({ op: fc.constant('remove'), path }) as fc.Arbitrary<DataOperation>,
  );
  const step = fc.record({
    operations: fc.array(fc.tuple(operation, fc.boolean()), { minLength: 1, maxLength: 4 }),
    holds: fc.boolean(),
    releases: fc.boolean(),
    aborts: fc.boolean(),
  });
  const start = () => JSON.parse(JSON.stringify({ big: wide(600), a: { b: [1, { c: 2 }] } })) as PlainObject;

  /**
   * Redirects every other operation into the large object. Each operation gets its own value, since
   * a transferred value may be changed.
   */
  function prepared(operations: readonly (readonly [DataOperation, boolean])[]): DataOperation[] {
    return operations.map(([one, transferred], i) => {
      const path = i % 2 === 0 && one.path.length > 0 ? ['big', ...one.path.slice(1)] : one.path;
      return one.op === 'remove' ? { ...one, path } : { ...one, path, value: structuredClone(one.value), transferred };
    });
  }

  test.each([true, false])(
    'documents are the same after any transactions, held versions and what was given never change (all handed over: %s)',
    (all) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
          const first = start();
          let model = start();
          const store = new MemoryStore(first, { transferred: all });
          const given: { readonly value: Value; readonly text: string }[] = all ? [] : [{ value: first, text: JSON.stringify(first) }];
          const held: { readonly version: ReturnType<MemoryStore['hold']>; readonly text: string }[] = [];
          for (const { operations, holds, releases, aborts } of steps) {
            if (holds) held.push({ version: store.hold(), text: JSON.stringify(store.root) });
            const list = prepared(operations.map(([one, some]) => [one, some || all]));
            for (const one of list) {
              if (one.op !== 'remove' && one.transferred !== true) given.push({ value: one.value, text: JSON.stringify(one.value) });
            }
            const [expected, failed] = applied(model, list);
            const before = JSON.stringify(store.root);
            if (aborts) {
              const transaction = store.begin();
              for (const one of list) {
                try {
                  transaction.write(one);
                } catch (error) {
                  expect(error).toBeInstanceOf(StoreError);
                }
              }
              transaction.read([]);
              transaction.abort();
            } else if (failed) expect(() => store.apply(list)).toThrow(StoreError);
            else {
              store.apply(list);
              model = expected;
            }
            if (aborts || failed) expect(JSON.stringify(store.root)).toBe(before);
            expect(store.root).toEqual(model);
            for (const { version, text } of held) expect(JSON.stringify(version.root)).toBe(text);
            for (const { value, text } of given) expect(JSON.stringify(value)).toBe(text);
            if (releases) held.shift()?.version.release();
          }
        }),
        { numRuns: randomCases(150) },
      );
    },
  );

  test('an array with many changed elements equals the result of single changes', () => {
    const root = { list: Array.from({ length: 100 }, (_, n) => ({ n })) };
    const list = Array.from({ length: 60 }, (_, i) => put(`list/${i}/m`, i));
    const operations = [...list, remove('list/3'), add('list/0', 'first'), put('list/50/m', 'again')];
    const store = new MemoryStore(structuredClone(root), { transferred: true });
    store.apply(operations);
    expect(store.root).toEqual(applied(root, operations)[0]);
  });
});

/** Applies the operations to a deep copy; returns the unchanged documents and `true` on failure. */
function applied(root: PlainObject, operations: readonly DataOperation[]): [PlainObject, boolean] {
  let copy = JSON.parse(JSON.stringify(root)) as Value;
  try {
    for (const operation of operations) copy = modelled(copy, operation, 0);
    if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) throw new Error('root');
    return [JSON.parse(JSON.stringify(copy)) as PlainObject, false];
  } catch {
    return [root, true];
  }
}

type Mutable = { [key: string]: Value } & Value[];

function modelled(node: Value, operation: DataOperation, depth: number): Value {
  const { op, path } = operation;
  if (depth === path.length) {
    if (op === 'remove') throw new Error('root');
    if (depth === 0 && (typeof operation.value !== 'object' || operation.value === null || Array.isArray(operation.value)))
      throw new Error('root');
    return structuredClone(operation.value);
  }
  if (typeof node !== 'object' || node === null) throw new Error('scalar');
  const here = node as Mutable;
  const key = path[depth]!;
  const isLast = depth === path.length - 1;
  if (Array.isArray(node)) {
    const appends = isLast && op === 'add' && (key === '-' || key === String(node.length));
    if (!appends && !/^\d+$/.test(key)) throw new Error('index');
    if (!appends && Number(key) >= node.length) throw new Error('range');
    if (!isLast) here[Number(key)] = modelled(here[Number(key)]!, operation, depth + 1);
    else if (op === 'remove') here.splice(Number(key), 1);
    else here.splice(appends ? here.length : Number(key), op === 'replace' ? 1 : 0, structuredClone(operation.value));
    return here;
  }
  const has = Object.hasOwn(here, key);
  if (!has && (op === 'remove' || op === 'replace' || (op === 'add' && !isLast))) throw new Error('missing');
  if (isLast && op === 'remove') delete here[key];
  else {
    const below = isLast && op !== 'remove' ? structuredClone(operation.value) : modelled(has ? here[key]! : {}, operation, depth + 1);
    Object.defineProperty(here, key, { value: below, writable: true, enumerable: true, configurable: true });
  }
  return here;
}

describe('cost', () => {
  test('a change of a transferred object never iterates over its keys', () => {
    const looks = { keys: 0 };
    const big = new Proxy(wide(10), {
      ownKeys: (target) => {
        looks.keys++;
        return Reflect.ownKeys(target);
      },
    });
    const store = new MemoryStore({ big }, { transferred: true });
    store.apply([put('big/new', 1)]);
    store.apply([remove('big/key1'), replace('big/key2', 1)]);
    const transaction = store.begin();
    transaction.write(put('big/key3', 1));
    transaction.occupied(['big', 'x']);
    transaction.abort();
    expect(looks.keys).toBe(0);
    expect(Object.keys(big)).toContain('new');
  });

  test('one small value put into an object of 300,000 entries costs no copy of it', async () => {
    const store = new MemoryStore({ big: wide(300_000) });
    await expectBoundedWork(() => {
      for (let i = 0; i < 50; i++) store.apply([put(`big/new${i}`, { value: i })]);
    });
  });

  test('holding 100,000 entries takes little more than their JSON', () => {
    const directory = mkdtempSync(join(tmpdir(), 'writ-store-'));
    const entries = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`user${i}`, { name: `n${i}`, roles: ['a', 'b'], age: i % 90 }]),
    );
    const file = join(directory, 'data.json');
    writeFileSync(file, JSON.stringify(entries));
    const measured = (name: string, code: string) => {
      const text = `import{readFileSync}from'node:fs';import{MemoryStore}from'./runtime/store/memory-store.js';
        const text=readFileSync(${JSON.stringify(file)},'utf8');${code};for(let i=0;i<4;i++)globalThis.gc();console.log(process.memoryUsage().rss);globalThis.kept=kept;`;
      const script = threadScript(name, text);
      return Number(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' }));
    };
    const plain = measured('plain', 'const kept=JSON.parse(text)');
    const stored = measured(
      'stored',
      `const kept=new MemoryStore();kept.apply([{op:'write',path:['users'],value:JSON.parse(text)}]);for(let i=0;i<100;i++)kept.apply([{op:'write',path:['users','extra'+i],value:i}])`,
    );
    rmSync(directory, { recursive: true });
    expect(stored / plain).toBeLessThan(1.5);
  });
});
