/** Loops over walks without pairs, and objects that a loop fills with its own keys. */
import { expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import { loadProgram } from '../../../engine/load-program.js';
import { loadPlan } from '../../../ir-schema/validate.js';
import { generatedText } from '../../../test/harness/generated-text.js';
import { outcomeOf } from '../../../test/harness/tiers.js';
import { builtins } from '../../../values/builtins/registry.js';
import { equal } from '../../../values/equal.js';
import { toPlain } from '../../../values/json/plain-form.js';
import type { Value } from '../../../values/value.js';
import { assemble } from '../../bytecode/assemble.js';

/** The plan of a rule `r`, which is the entrypoint `main`. */
async function planOf(rule: string) {
  const policies = { 'p.rego': `package p\n\n${rule}\n` };
  const plan = (await compile({ policies, entrypoints: ['p/r'] })) as unknown as { plans: { plans: { name: string }[] } };
  for (const one of plan.plans.plans) one.name = 'main';
  return plan;
}

const textOf = async (rule: string) => generatedText(assemble(loadPlan(await planOf(rule))));

/** The results of a rule in generated code, which are those of the VM. */
async function resultsOf(rule: string, input: Value): Promise<unknown> {
  const loaded = await loadProgram((await planOf(rule)) as never, builtins);
  const vm = outcomeOf(loaded, input, 'never', {});
  const generated = outcomeOf(loaded, input, 'always', {});
  expect(typeof vm === 'string' ? generated === vm : equal(generated as Value, vm as Value), String(generated)).toBe(true);
  return vm;
}

const document: Value = { a: [{ b: 'x' }, 'y'], 'long key': { '': { a: null } }, e: [], x: 'x' };

test.each([
  ['the last key', 'r := [path[count(path) - 1] | walk(input, [path, value])]'],
  ['other keys', 'r := [[path[0], path[1], path[2]] | walk(input, [path, value])]'],
  ['the value alone', 'r := [value | [_, value] := walk(input); is_string(value)]'],
  ['a path as a whole', 'r := [path | [path, value] := walk(input); value == "x"]'],
  ['a path in a loop', 'r := [part | [path, value] := walk(input); some part in path]'],
  ['a path in another walk', 'r := [[path, other] | walk(input, [path, _]); walk(path, [other, "a"])]'],
])('a loop over a walk that reads %s makes no pair', async (_title, rule) => {
  expect(await textOf(rule)).toContain('listedWalk');
  await resultsOf(rule, document);
  await resultsOf(rule, 'x');
});

test.each([
  ['a pair as a whole', 'r := [pair | walk(input, pair)]'],
  ['a path behind a `with`', 'f(x) := [x, input]\nr := [y | walk(input, [path, _]); y := f(path) with input as path]'],
  ['the same path twice', 'r := [path | walk(input, [path, value]); some other in [path, value]; other == path]'],
])('%s has the results of the VM', async (_title, rule) => {
  await resultsOf(rule, document);
});

const many: Value = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));

test.each([
  ['texts', document],
  ['indexes', ['a', 'b']],
  ['many texts', many],
  ['`__proto__`', JSON.parse('{"__proto__": 1, "a": 2}') as Value],
])('an object that a loop fills with its keys may have %s', async (_title, input) => {
  const rule = 'r := {key: [value] | some key, value in input}';
  expect(await textOf(rule)).toContain('insertEntry');
  await resultsOf(rule, input);
});

test('an object that two loops fill has one value for a key', async () => {
  const rule = 'r := {key: value | some row in input; some key, value in row}';
  expect(await textOf(rule)).toContain('insertEntry');
  await resultsOf(rule, [
    { a: 1, c: 2 },
    { a: 1, b: 3 },
  ]);
  expect(String(await resultsOf(rule, [{ a: 1 }, { a: 2 }]))).toContain('object keys must be unique');
});

test.each([
  'r[x][y] := 1 if { some x, list in input; some y in list }',
  'r[x][y] contains z if { some x, list in input; some y in list; z := [x, y] }',
  'r[x] := {y: {z: 1 | some z in list} | some y in list} if some x, list in input',
])('objects in objects: %s', async (rule) => {
  await resultsOf(rule, { a: ['b', 1, ['c']], b: [2, 'x'], c: [] });
  await resultsOf(rule, [
    ['b', 1],
    ['a', null],
  ]);
});

const lists = [
  ['b', 'a', 'ab', '', '10', '9', 'b', 'é'],
  ['a\ud83d\ude00', 'a\uffee', 'b'],
  ['\ud83d', '\ud83d\ude00', '\ue000'],
];

test.each([
  ['of an array', 'r := {name: 1 | some name in input}'],
  ['of a set', 'r := {name: 1 | some name in {lower(name) | some name in input}}'],
  ['of several bodies', 'r[name] := 1 if some name in input\n\nr["aa"] := 1\n\nr[input[0]] := 1'],
  ['of a call', 'f(x) := {upper(name): 1 | some name in x}\n\nr := [f(input) | some _ in input]'],
])('keys %s have the order that they have on the VM', async (_title, rule) => {
  const loaded = await loadProgram((await planOf(rule)) as never, builtins);
  for (const names of lists) {
    for (let length = 0; length <= names.length; length++) {
      const [vm, generated] = (['never', 'always'] as const).map((codegen) =>
        JSON.stringify(toPlain(outcomeOf(loaded, names.slice(0, length), codegen, {}) as Value)),
      );
      expect(generated).toBe(vm);
    }
  }
});
