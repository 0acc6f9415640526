/** Errors have the address of the statement that failed, the same on each machine. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plan } from '../../compiler/plan/planner.js';
import { loadProgram } from '../../engine/load-program.js';
import { Addresses } from '../../ir-schema/address.js';
import type { Policy, Stmt } from '../../ir-schema/plan.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { walkStatements } from '../../ir-schema/walk.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { compileFor } from '../../test/harness/plans.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { packExecutable, unpackExecutable } from '../codegen/packed-executable.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { CodegenMode } from '../evaluation/engine-context.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { EvaluationError } from '../evaluation/evaluation-errors.js';
import type { Executable } from '../evaluation/executable.js';
import { interpretPlan } from './plan-interpreter.js';

const modes: readonly CodegenMode[] = ['never', 'always'];

function evaluation(codegen: CodegenMode = 'never', instructions = 200_000): Evaluation {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
  return new Evaluation(context, { instructions, strictBuiltinErrors: true }, new AnswerRecord());
}

/** The error of a run; undefined without one, and where a limit ends it. */
function errorOf(run: () => unknown): { code: string; addresses: readonly (string | undefined)[] } | undefined {
  try {
    run();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    expect(error.address).toBe(error.rules[0]?.address);
    if (error.code !== 'eval_cancel_error') return { code: error.code, addresses: error.rules.map(({ address }) => address) };
  }
  return undefined;
}

/** The address of the statement that a walk comes to last; undefined without an error. */
function lastOfWalk(policy: Policy, addresses: Addresses, input: Value, data: Value): string | undefined {
  let last: Stmt | undefined;
  const observer = { before: (stmt: Stmt) => void (last = stmt), passed: () => undefined };
  try {
    interpretPlan(policy, { plan: 'main', input, data }, builtins, evaluation(), { observer });
    return undefined;
  } catch {
    return last && addresses.of(last);
  }
}

/** All statements at one place, as in plans without positions. */
function withoutPlaces(policy: Policy): Policy {
  walkStatements(policy, ({ stmt }) => void Object.assign(stmt, { row: 0, col: 0, end_row: 0, end_col: 0 }));
  return policy;
}

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const document = fc.array(fc.nat(1000), { maxLength: 80, size: 'max' });

describe('the address of an error is that of the statement that a walk came to, and its callers call', () => {
  test.each([
    ['each statement has a place of its own', (policy: Policy) => policy],
    ['no statement has a place', withoutPlaces],
  ])('%s', async (_title, placed) => {
    let errors = 0;
    const cases = randomCases(150);
    await fc.assert(
      fc.asyncProperty(choices, document, document, async (plan, inputChoices, dataChoices) => {
        const policy = placed(loadPlan(expandPlan(generatePolicy(plan, { withoutEarlyExit: true }))));
        const input = parseJson(JSON.stringify(generateDocument(inputChoices)));
        const data = parseJson(JSON.stringify(generateDocument(dataChoices)));
        const addresses = new Addresses(policy);
        const loaded = await loadProgram(policy, builtins);
        const executables: readonly Executable[] = [loaded, await unpackExecutable(packExecutable(loaded), builtins)];
        const walked = lastOfWalk(policy, addresses, input, data);
        for (const executable of executables) {
          for (const mode of modes) {
            const error = errorOf(() => executable.run(executable.entrypoints.get('main')!, input, data, evaluation(mode)));
            if (error === undefined) continue;
            errors++;
            expect(error.addresses[0]).toBe(walked);
            for (const caller of error.addresses.slice(1)) expect(addresses.at(caller!)?.stmt.type).toMatch(/^Call/);
          }
        }
      }),
      { numRuns: cases },
    );
    expect(errors).toBeGreaterThan(cases / 15);
  });
});

test('where a limit ends an evaluation, it is that of the statement that was running', async () => {
  const rules = `p contains y if {
	some i in numbers.range(1, 30)
	x := f(i)
	some j in numbers.range(1, 10)
	y := x * j
	g(y)
}

f(x) := y if {
	x > 1
	y := sum([z | some k in numbers.range(1, 50); z := k * x])
}

g(x) if x % 7 == 1

g(x) if count({q | some q in numbers.range(1, 9); q > x}) > 3`;
  const policy = plan(compileFor(`package t\n\n${rules}\n`), [{ name: 't/p', path: ['t', 'p'] }]);
  const addresses = new Addresses(policy);
  const executable = await loadProgram(policy, builtins);
  const addressOf = (mode: CodegenMode, instructions: number): string | undefined => {
    try {
      executable.run(executable.entrypoints.get('t/p')!, undefined, {}, evaluation(mode, instructions));
      return undefined;
    } catch (error) {
      expect((error as EvaluationError).code).toBe('eval_cancel_error');
      return (error as EvaluationError).address;
    }
  };
  const found = new Set<string | undefined>();
  for (let limit = 10; limit < 5000; limit = Math.ceil(limit * 1.1)) {
    const address = addressOf('never', limit);
    expect(addressOf('always', limit)).toBe(address);
    found.add(address && addresses.at(address)?.stmt.type);
  }
  expect(found).toContain('ScanStmt');
  expect(found).toContain('CallStmt');
});
