import { expect, test } from 'vitest';
import { type Usage, withGroups } from './seldom-code.js';

/** Runs a script, and returns the value of its `result`. */
function resultOf(text: string, setPart: (part: (name: string) => object | undefined) => void = () => {}): unknown {
  return new Function('setPart', `"use strict";${text}\nreturn result;`)(setPart);
}

/**
 * The usage of runs that execute all but the lines with a mark.
 * @param needed the modules that all runs load
 */
function usage(text: string, needed: readonly string[] = ['a.ts']): Usage {
  const lines = [...text.matchAll(/^.*\/\* seldom \*\/.*$/gm)].map(({ index, 0: line }) => [index, index + line.length] as const);
  return {
    isExecuted: (place) => !lines.some(([start, end]) => start <= place && place < end),
    isNeeded: (module) => needed.includes(module),
  };
}

const twoFunctions = `// a.ts
function often(n) {
  if (n > 1) return seldom(n); /* seldom */
  return n;
}
function seldom(n) { return often(n - 1) + step(); } /* seldom */
function step() { return size; } /* seldom */
var size = 10;
var result = [often(1), typeof often];`;

test('functions that no run calls are made when one of them is called', () => {
  const text = withGroups(twoFunctions, usage(twoFunctions));
  expect(resultOf(text)).toEqual([1, 'function']);
  expect(resultOf(text.replace('often(1)', 'often(3)'))).toEqual([21, 'function']);
  // Functions of a group use each other by their names, and others by the group.
  expect(text).toMatch(/function makeGroup0_\(\) \{\nfunction seldom\(n\) \{ return often\(n - 1\) \+ step\(\); \}\nfunction step/);
  expect(text).toContain('return (group0_ ??= makeGroup0_()).a(n);');
});

test('a function that runs hand on without calling it stays where it is', () => {
  const handed = '// a.ts\nfunction seldom() { return 1; } /* seldom */\nvar table = { seldom }, result = table.seldom();';
  expect(withGroups(handed, usage(handed))).not.toContain('makeGroup');
});

test.each([
  ['assigned', 'function seldom() { return 1; } /* seldom */\nfunction other() { seldom = often; } /* seldom */'],
  ['a parameter of another', 'function seldom() { return 1; } /* seldom */\nfunction other(seldom) { return seldom; } /* seldom */'],
  [
    'a variable of another',
    'function seldom() { return 1; } /* seldom */\nfunction other() { for (const { seldom } of []) seldom(); } /* seldom */',
  ],
  ['of its caller', 'function seldom() { return this; } /* seldom */'],
])('a function whose name or `this` is %s stays where it is', (_, functions) => {
  const text = `// a.ts
function often(n) {
  if (n > 1) return seldom(); /* seldom */
}
${functions}
var result = [often(1), often(2)];`;
  const grouped = withGroups(text, usage(text));
  expect(grouped).toMatch(/^function seldom/m);
  expect(grouped).not.toMatch(/makeGroup\d+_\(\) \{\nfunction seldom/);
  expect(resultOf(grouped)).toEqual(resultOf(text));
});

test('functions are used as values, in patterns, and as members of objects', () => {
  const text = `// a.ts
function often(n) {
  if (n < 2) return [];
  const { f = seldom } = {}; /* seldom */
  const table = { seldom, other: seldom }; /* seldom */
  return [f(), table.seldom(), table.other(), [1].map(seldom)[0], seldom\`\`, new Maker().made, table.seldom === f]; /* seldom */
}
function seldom() { return 1; } /* seldom */
function Maker() { return { made: 2 }; } /* seldom */
var result = [often(1), often(2)];`;
  const grouped = withGroups(text, usage(text));
  expect(grouped).toContain('function makeGroup0_');
  expect(resultOf(grouped)).toEqual([[], [1, 1, 1, 1, 1, 2, true]]);
});

test('a group ends where it is long: reading it takes time', () => {
  const long = 'x'.repeat(1250);
  const text = `// a.ts
function often(n) {
  if (n > 1) return [a(), b(), c()]; /* seldom */
  return 0;
}
function a() { return b().length + '${long}'.length; } /* seldom */
function b() { return '${long}'; } /* seldom */
function c() { return a() + 1; } /* seldom */
var result = [often(1), often(2)];`;
  const grouped = withGroups(text, usage(text));
  expect(grouped.match(/function makeGroup\d/g)).toHaveLength(2);
  expect(resultOf(grouped)).toEqual([0, [2500, long, 2501]]);
});

const twoModules = `// a.ts
function often(n) {
  if (n > 1) return rows.length + new Row(n).twice(); /* seldom */
  return n;
}
// b.ts
var count = 0, noted = [];
function note(value) { count++; noted.push(value); return value; }
// c.ts
var rows = [note(1), note(2)];
class Row {
  constructor(n) { this.n = n; }
  twice() { return 2 * this.n; }
}
// d.ts
var result = () => [often(1), [...noted], often(4), [...noted], often(5), count];`;

test('a module that not all runs load is made once, when it is first used', () => {
  const text = withGroups(twoModules, usage(twoModules, ['a.ts', 'b.ts', 'd.ts']));
  expect((resultOf(text) as () => unknown)()).toEqual([1, [], 10, [1, 2], 12, 2]);
});

test('a module whose variables change for others is not', () => {
  const text = withGroups(twoModules, usage(twoModules, ['a.ts', 'c.ts', 'd.ts']));
  expect(text).not.toMatch(/function makeGroup\d_\(\) \{\nvar count/);
  expect((resultOf(text) as () => unknown)()).toEqual([1, [1, 2], 10, [1, 2], 12, 2]);
});

test('a module that is used while it is made is not', () => {
  const circle = `// a.ts
function size() { return rows.length; }
// b.ts
var rows = [1, 2], most = size();
// c.ts
var result = most;`;
  const text = withGroups(circle, usage(circle, ['a.ts', 'c.ts']));
  expect(text).not.toContain('makeGroup');
  expect(resultOf(text)).toBe(2);
});

test('the exports of a module are made one by one', () => {
  const text = `// a.ts
function often() { return 1; }
function seldom() { return 2; } /* seldom */
function partOf0(name) { switch (name) { case 'a.js': return { often, seldom, other: seldom }; } }
setPart((name) => partOf0(name));
var result = often();`;
  const grouped = withGroups(text, usage(text));
  let part: ((name: string) => object | undefined) | undefined;
  expect(resultOf(grouped, (given) => (part = given))).toBe(1);
  const exports = part!('a.js') as Readonly<Record<string, () => number>>;
  expect([exports.often!(), exports.seldom!(), exports.other!()]).toEqual([1, 2, 2]);
  expect(Object.getOwnPropertyDescriptor(exports, 'seldom')!.get).toBeDefined();
  expect(Object.getOwnPropertyDescriptor(exports, 'often')!.get).toBeUndefined();
});
