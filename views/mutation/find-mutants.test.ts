/** Mutants of policies: each changes the text as its operator says, and is a policy again. */
import { expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { findMutants } from './find-mutants.js';
import { mutatedText } from './mutant.js';

function mutantsOf(text: string, regoVersion: 'v0' | 'v1' = 'v1'): { operator: string; text: string }[] {
  return findMutants(parseModule('p.rego', text, { regoVersion })).map((mutant) => ({
    operator: mutant.operator,
    text: mutatedText(mutant),
  }));
}

/** The texts of the mutants of a rule that an operator makes. */
function changed(operator: string, rule: string): readonly string[] {
  const head = 'package p\n\n';
  return mutantsOf(head + rule)
    .filter((each) => each.operator === operator)
    .map(({ text }) => text.slice(head.length));
}

test.each([
  ['drop-expression', 'p if { input.a; input.b }', ['p if { true; input.b }', 'p if { input.a; true }']],
  ['drop-expression', 'p if { x := input.a; x }', ['p if { x := input.a; true }']],
  ['drop-body', 'p if { input.a; input.b }', ['p if { true }']],
  ['drop-not', 'p if not input.a', ['p if input.a']],
  ['drop-rule', 'p if input.a', ['p if { false; input.a }']],
  ['drop-rule', 'p if {\n\tinput.a\n}', ['p if {\n\tfalse; input.a\n}']],
  ['drop-rule', 'p := 1', ['p := 1 if false']],
  ['drop-rule', 'p contains x if some x in input', ['p contains x if { false; some x in input }']],
  ['drop-default', 'default p := 1\np := 2 if input.a', ['\np := 2 if input.a']],
  ['drop-default', 'default p := 1', []],
  ['swap-comparison', 'p if input.a == input.b', ['p if input.a != input.b']],
  ['swap-comparison', 'p if input.a <= input.b', ['p if input.a < input.b']],
  ['swap-comparison', 'p if count(input) > input.b', ['p if count(input) >= input.b']],
  ['swap-arithmetic', 'p := input.a + input.b', ['p := input.a - input.b']],
  ['swap-arithmetic', 'p := input.a | input.b', ['p := input.a & input.b']],
  ['some-for-every', 'p if every x in input { x.a; x.b }', ['p if some x in input; x.a; x.b']],
  ['some-for-every', 'p if {\n\tevery x in input {\n\t\tx.a\n\t}\n}', ['p if {\n\tsome x in input\n\t\tx.a\n}']],
  ['every-for-some', 'p if { some x in input; x.a }', ['p if { every x in input { x.a } }']],
  ['every-for-some', 'p if { some [x, y] in input; x == y }', []],
  ['else-order', 'p := 1 if input.a else := 2 if input.b', ['p := 2 if input.b else := 1 if input.a']],
  ['else-order', 'p if { input.a } else := 2', ['p := 2 else if { input.a }']],
  ['constant', 'p := true', ['p := false']],
  ['constant', 'p if input.a == 1', ['p if input.a == 0', 'p if input.a == 2']],
  ['constant', 'p if input.a == 99999999999999999999', ['p if input.a == 100000000000000000000', 'p if input.a == 99999999999999999998']],
  ['constant', 'p if input.a == "x"', ['p if input.a == ""']],
  ['constant', 'p if input.a in {"x", ""}', ['p if input.a in {"", ""}', 'p if input.a in {"x", "?"}']],
  ['constant', 'p contains sprintf("%v", [input.a]) if input.b', []],
  ['constant', 'p := "for people to read"', []],
  ['constant', 'p if data.roles["x"][0]', []],
  ['constant', 'p if print("x")', []],
])('%s: %s', (operator, rule, expected) => {
  expect(changed(operator, rule)).toEqual(expected);
});

test('version 0 has guards of its own', () => {
  const texts = mutantsOf('package p\n\np = 1\n\nq { input.a }', 'v0').map(({ text }) => text);
  expect(texts).toContain('package p\n\np = 1 { false }\n\nq { input.a }');
  expect(texts).toContain('package p\n\np = 1\n\nq { false; input.a }');
});

test('all mutants of one place differ, and come in the order of the text', () => {
  const text = 'package p\n\nallow if {\n\tinput.a == 1\n\tnot input.b\n}\n\nallow if count(input.c) > 2\n';
  const mutants = findMutants(parseModule('p.rego', text));
  expect(new Set(mutants.map(mutatedText)).size).toBe(mutants.length);
  expect(mutants.map(({ span }) => span.start)).toEqual(mutants.map(({ span }) => span.start).sort((a, b) => a - b));
});
