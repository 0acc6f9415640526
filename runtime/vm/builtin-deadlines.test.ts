/**
 * No call of a built-in exceeds the time of its evaluation: it counts its work, or is refused
 * before it runs.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largeOperands } from '../../test/generators/large-operands.js';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import type { HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import { heapLimit } from '../../values/memory.js';
import { ExactNumber } from '../../values/numbers/number.js';
import type { Value } from '../../values/value.js';
import { watchWork } from '../../values/work.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { callAny } from '../evaluation/builtin-calls.js';
import { Evaluation } from '../evaluation/evaluation.js';
import type { EvaluationError } from '../evaluation/evaluation-errors.js';
import type { EvaluationOptions } from '../evaluation/evaluation-options.js';
import { type LinkedBuiltin, linkedBuiltin } from '../evaluation/linked-builtin.js';

const timeMs = 100;
/**
 * How many milliseconds of processor time a call may exceed its time by: machines are slow and
 * fast.
 */
const slackMs = 4000;

async function linked(name: string): Promise<LinkedBuiltin> {
  const row = builtins.get(name)!;
  await row.load?.();
  return linkedBuiltin(row);
}

/** Calls a built-in as the VM does; answers its value, or the error that it ends with. */
async function called(name: string, operands: readonly Value[], options: EvaluationOptions): Promise<unknown> {
  const builtin = await linked(name);
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const evaluation = new Evaluation(context, { strictBuiltinErrors: true, ...options }, new AnswerRecord());
  const before = watchWork(evaluation.meter);
  try {
    return callAny(builtin, operands, evaluation);
  } catch (error) {
    return error;
  } finally {
    watchWork(before);
  }
}

const offline = [...builtins.values()].filter(({ name }) => name !== 'http.send' && name !== 'net.lookup_ip_addr');

test('calls with large operands of any kind end within their time, with an answer or an error of ours', async () => {
  const operands = largeOperands(60_000);
  const calls = offline.flatMap((row) => operands.calls(row).map((call) => ({ name: row.name, ...call })));
  const chosen = fc.constantFrom(...calls);
  await fc.assert(
    fc.asyncProperty(chosen, async ({ name, kinds, operands: make }) => {
      const given = make();
      const label = `${name} (${kinds})`;
      let outcome: unknown;
      const call = async () => {
        outcome = await called(name, given, { timeMs });
      };
      await expectBoundedWork(call, label, timeMs + slackMs);
      if (!(outcome instanceof Error)) return;
      expect(outcome.message, label).not.toMatch(nativeWording);
      expect((outcome as Error & { code?: string }).code, label).toMatch(/^eval_/);
    }),
    { numRuns: randomCases(250) },
  );
});

const nativeWording =
  /Invalid (?:string|array|typed array) length|Maximum call stack|Cannot mix BigInt|Unexpected (?:token|end of JSON)|is not a function|undefined \(reading|maximum size exceeded/;

describe('what a call would make is bounded before it is made', () => {
  const long = 'x'.repeat(Math.floor(heapLimit() / 32) + 1);
  test.each<[string, Value[]]>([
    ['base64.encode', [long.repeat(2)]],
    ['base64url.encode', [long.repeat(2)]],
    ['base64url.encode_no_pad', [long.repeat(2)]],
    ['hex.encode', [long]],
    ['concat', [long, ['a', 'b', 'c', 'd']]],
    ['replace', ['a'.repeat(1000), 'a', long]],
    ['strings.replace_n', [{ a: long }, 'aaaa']],
    ['regex.replace', ['aaaa', 'a', long]],
    ['sprintf', ['%s%s%s', [long, long, long]]],
    ['sprintf', ['%999999d'.repeat(2000), Array(2000).fill(1)]],
    ['strings.render_template', ['{{.a}}{{.a}}{{.a}}', { a: long }]],
    ['json.marshal', [[long, long, long]]],
    ['yaml.marshal', [[long, long, long]]],
    ['urlquery.encode_object', [{ a: [long, long, long] }]],
    ['numbers.range', [1, 4e12]],
    ['array.concat', [Array(20_000_000).fill(0), Array(20_000_000).fill(0)]],
    ['array.flatten', [Array(1000).fill(Array(100_000).fill(0))]],
  ])('%s', async (name, operands) => {
    const outcome = await called(name, operands, {});
    expect((outcome as HaltError).code).toBe('eval_cancel_error');
    expect((outcome as Error).message).toMatch(/too long|more than/);
  });
});

test.each<[string, Value[]]>([
  ['contains', ['a'.repeat(1_000_000), `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`]],
  ['indexof', ['a'.repeat(1_000_000), `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`]],
  ['split', ['a'.repeat(1_000_000), `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`]],
  ['strings.count', ['a'.repeat(1_000_000), `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`]],
])('%s of a long text takes no product of lengths', async (name, operands) => {
  const outcome = await called(name, operands, { timeMs: 20_000 });
  expect(outcome).not.toBeInstanceOf(Error);
});

test('a call that takes longer than there is time is refused before it runs', async () => {
  const text = 'a: b\n'.repeat(4_000_000);
  const call = async () => {
    const outcome = await called('yaml.unmarshal', [text], { timeMs: 50 });
    expect((outcome as EvaluationError).message).toBe('query execution timed out');
  };
  await expectBoundedWork(call, '', 2000);
});

test('digits count where numbers are multiplied', async () => {
  const many = new ExactNumber('7'.repeat(400_000));
  expect(await called('mul', [many, many], { instructions: 1_000_000 })).toHaveProperty('message', 'instruction limit reached');
});
