import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../ir-schema/plan.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../test/harness/short-plan.js';
import { builtins } from '../../values/builtins/registry.js';
import { equal } from '../../values/equal.js';
import { parseJson } from '../../values/json/json.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import { allAtOnce } from '../../values/steps.js';
import type { Value } from '../../values/value.js';
import { assemble } from './assemble.js';
import { PackError, packProgram, unpackSteps } from './pack.js';
import type { Program } from './program.js';

interface Case {
  readonly note: string;
  readonly plan: unknown;
}

const fixtures = ['allow', 'every-statement', 'empty', 'older'].flatMap((name) => {
  const path = join(import.meta.dirname, `../../fixtures/plans/${name}.json`);
  return (parseJson(readFileSync(path, 'utf8')) as unknown as { readonly cases: readonly Case[] }).cases;
});

function programOf(plan: unknown): Program {
  return assemble(loadPlan(plan) as Policy);
}

function unpackProgram(bytes: Uint8Array): Program {
  return allAtOnce(unpackSteps(bytes));
}

/** Some fixtures are about the format alone. */
function isWhole(plan: unknown): boolean {
  try {
    verify(loadPlan(plan), builtins);
    return true;
  } catch {
    return false;
  }
}

test.each(fixtures.filter(({ plan }) => isWhole(plan)).map(({ note, plan }) => [note, plan] as const))(
  '%s: a program comes back as it was packed',
  (_note, plan) => {
    const program = programOf(plan);
    expect(unpackProgram(packProgram(program))).toEqual(program);
    const { lowered: _, ...interpreted } = program;
    expect(unpackProgram(packProgram(interpreted))).toEqual(interpreted);
  },
);

test('a dispatch by strings, numbers and booleans comes back as it was packed', () => {
  const rule = (...guard: readonly ShortStmt[]): ShortBlock => [['Dot', { source: 0, key: 'a', target: 3 }], ...guard];
  const rules = [0, 1].map((value) => rule(['MakeNumberInt', { value, target: 4 }], ['Equal', { a: 3, b: 4 }]));
  const blocks = [...rules, rule(['Equal', { a: 3, b: 'x' }]), rule(['Equal', { a: 3, b: true }])];
  const program = programOf(expandPlan({ plans: { main: blocks } }));
  expect([...program.tables[0]!.keys()]).toEqual([0, 1, 'x', true]);
  expect(unpackProgram(packProgram(program))).toEqual(program);
});

describe('constants', () => {
  const leaf = fc.oneof(
    fc.constantFrom<Value>(null, true, false, 0, 1.5, 'object', '__proto__', ''),
    fc.constantFrom('1e400', '12345678901234567890', '1.10', '-0').map(numberFromText),
    fc.string(),
    fc.integer(),
  ) as fc.Arbitrary<Value>;
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(tie('value'), { maxLength: 4 }).map((members) => new RegoSet(members)),
      fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((entries) => new RegoObject(entries)),
      fc
        .dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 4 })
        .map((o) => Object.fromEntries(Object.entries(o))),
    ),
  }));
  const empty = programOf({ static: {}, plans: { plans: [] }, funcs: { funcs: [] } });

  test('of any kind come back', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (constants) => {
        const back = unpackProgram(packProgram({ ...empty, constants })).constants;
        expect(back.length).toBe(constants.length);
        back.forEach((one, i) => {
          expect(equal(one, constants[i]!)).toBe(true);
          expect(one?.constructor).toBe(constants[i]?.constructor);
        });
      }),
      { numRuns: randomCases(200) },
    );
  });

  test('that are long come back in steps', () => {
    const strings = Array.from({ length: 31_000 }, (_, i) => `k${i}`);
    const nested = new RegoObject([[new RegoSet(strings), [new RegoSet(strings.map((text) => [text]))]]]);
    const constants = [new RegoSet(strings), strings, nested, 'x'.repeat(50_000)];
    const steps = unpackSteps(packProgram({ ...empty, constants }));
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    expect(step.value.constants.every((one, i) => equal(one, constants[i]!))).toBe(true);
    expect(count).toBeGreaterThan(100);
  });

  test('that nest too deeply are refused', () => {
    let nested: Value = 1;
    for (let i = 0; i < 100_000; i++) nested = [nested];
    expect(() => packProgram({ ...empty, constants: [nested] })).toThrow(PackError);
  });
});

test('bytes that are something else are refused', () => {
  const bytes = packProgram(programOf(fixtures[0]!.plan));
  for (const length of [0, 1, 10, bytes.length >> 1, bytes.length - 1])
    expect(() => unpackProgram(bytes.subarray(0, length))).toThrow(PackError);
  expect(() => unpackProgram(new TextEncoder().encode('{"a": 1}'))).toThrow(PackError);
});
