import { describe, expect, test } from 'vitest';
import { constantFunction, knownConstant } from '../../../ir-schema/constant-functions.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { loadPlan } from '../../../ir-schema/validate.js';
import { assemble } from '../../../runtime/bytecode/assemble.js';
import { link, linkCold } from '../../../runtime/codegen/link.js';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import type { Executable } from '../../../runtime/evaluation/executable.js';
import { planFor } from '../../../test/harness/plans.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { builtins } from '../../../values/builtins/registry.js';
import { exactText } from '../../../values/json/exact-json.js';

/** Whatever stands in a literal of more than a thousand characters. */
const parts: readonly (readonly [title: string, text: string])[] = [
  ['integers', '[0, -0, 1, -1, 9007199254740991, 9007199254740992, 123456789012345678901234567890]'],
  ['numbers as they are written', '[1.0, 1.10, 1e3, 1E3, -2.5e-7, 0.1, 1e400, 100000000000000000000.5]'],
  ['texts', String.raw`["a\"b\\c\n\t\u0000\u00e9\ud83d\ude00", "", "__proto__", ${'`raw\\n`'}, "-0", "1"]`],
  ['scalars', '[true, false, null]'],
  ['sets', '[{1, 1.0, 1e0, "1"}, {{}, []}, {{2, 1}, {1, 2}}, {null, {"a": {3, 2}}}, set()]'],
  ['objects', '[{"__proto__": 1, "constructor": 2, "b": {}, "a": []}, {"x": {"y": {"z": [{"w": 1}]}}}]'],
  ['keys of all kinds', '[{1: "a", "1": "b", 1.5: "c", [1]: "d", {"k": 1}: "e", {2}: "f", null: "g", true: "h"}]'],
  ['equal keys', '[{"a": 1, "a": 1, 1: 2, 1.0: 2}]'],
];

function longLiteral(text: string): string {
  return `[${text}, "${'x'.repeat(1000)}"]`;
}

/** The same plan as another engine reads it: with nothing but statements. */
function readBack(policy: Policy): Policy {
  return loadPlan(JSON.parse(JSON.stringify(policy)));
}

function run(executable: Executable): string {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const evaluation = new Evaluation(context, { timeNs: 0n }, new AnswerRecord());
  return exactText([...executable.run(executable.entrypoints.get('eval')!, undefined, {}, evaluation)]);
}

describe('long literals', () => {
  test.each(parts)('%s: the value is the one that the statements build', (_title, text) => {
    const policy = planFor(`p := ${longLiteral(text)}`, 'data.t.p = x');
    const [literal] = policy.funcs!.funcs!;
    const [read] = readBack(policy).funcs!.funcs!;
    const strings = policy.static!.strings!;
    const built = constantFunction(read!, (index) => strings[index]!.value);
    expect(knownConstant(literal!)).toBeDefined();
    expect(knownConstant(read!)).toBeUndefined();
    expect(exactText(knownConstant(literal!)!)).toBe(exactText(built!));
  });

  test.each(parts)('%s: programs decide as those of statements alone', async (_title, text) => {
    const rules = [
      `p := ${longLiteral(text)}`,
      'q contains part if some part in p[0]',
      'r := [p[0][i] | some i, _ in p[0]; i > 0]',
      's := json.patch(p[0], [{"op": "add", "path": "/0", "value": p[1]}])',
      't[k] := v if some k, v in p[0]',
    ];
    const policy = planFor(rules.join('\n'), 'x := [data.t.p, data.t.q, data.t.r, data.t.s, data.t.t, data.t.p]');
    const expected = run(await link(assemble(readBack(policy)), builtins));
    for (const executable of [linkCold(policy, builtins), await link(assemble(policy), builtins)]) {
      expect(run(executable)).toBe(expected);
      expect(run(executable)).toBe(expected);
    }
  });

  test('the tables of a plan do not change when the statements are read', () => {
    const policy = planFor(`p := ${longLiteral('[1.5, {"a": "b"}]')}\nq := {"a": 1e3, "b": "c", "d": p}`, 'data.t = x');
    const before = structuredClone({ ...policy.static });
    JSON.stringify(policy);
    expect(policy.static).toEqual(before);
  });
});
