/**
 * Modules of the conformance cases with some tokens dropped, doubled or exchanged: each is refused
 * with an error, or planned and run.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validatePlan } from '../../ir-schema/validate.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { type Case, conformanceFolder, readCases } from '../../test/conformance/cases.js';
import { caseBuiltins, evaluateCase } from '../../test/conformance/evaluate.js';
import { planCase } from '../../test/conformance/rego.js';
import { Choices } from '../../test/generators/choices.js';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { CompileErrors } from '../diagnostics/diagnostics.js';
import { optimize } from '../optimize/pipeline.js';

const folder = conformanceFolder();
if (folder === undefined) console.warn('no conformance cases (WRIT_CONFORMANCE): their mutations are not planned');

const every = Number(process.env.WRIT_FUZZ_EVERY ?? 12);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

/** Cases that ask a network or wait. */
const slow = /http|net\.|sleep|providers|caching/;

function mutate(text: string, random: Choices): string {
  const tokens = text.match(/\s+|\w+|[^\s\w]/g) ?? [];
  for (let changes = 1 + random.below(3); changes > 0 && tokens.length > 1; changes--) {
    const i = random.below(tokens.length);
    const j = random.below(tokens.length);
    const pick = random.below(3);
    if (pick === 0) tokens.splice(i, 1);
    else if (pick === 1) tokens.splice(i, 1, tokens[j]!);
    else [tokens[i], tokens[j]] = [tokens[j]!, tokens[i]!];
  }
  return tokens.join('');
}

async function run(one: Case): Promise<boolean> {
  try {
    const policy = planCase(one, 'v1');
    validatePlan(policy);
    verify(policy, caseBuiltins);
    await evaluateCase(one, optimize(policy, 2), 'eval');
    return true;
  } catch (error) {
    if (error instanceof CompileErrors || error instanceof EvaluationError) return false;
    throw error;
  }
}

test.skipIf(folder === undefined)('mutated cases are complained about, or planned and run, in time', { timeout: 600_000 }, async () => {
  const wrong: string[] = [];
  let ran = 0;
  let index = start;
  for (const { case: one } of readCases(join(folder!, 'rego/v1'))) {
    if (index++ % every !== 0 || one.modules === undefined || slow.test(`${one.note} ${one.modules.join('\n')}`)) continue;
    const random = new Choices(index);
    const modules = one.modules.map((text) => mutate(text, random));
    try {
      let hasRun = false;
      const attempt = async () => {
        hasRun = await run({ ...one, modules });
      };
      await expectBoundedWork(attempt, one.note, 10_000);
      if (hasRun) ran++;
    } catch (error) {
      wrong.push(`${one.note}: ${(error as Error).stack}\n${modules.join('\n')}`);
    }
  }
  expect(wrong.slice(0, 3).join('\n\n')).toBe('');
  expect(ran).toBeGreaterThan(0);
});
