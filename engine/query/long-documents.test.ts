/** Documents that take long in partial evaluations: by the program as by the search. */
import { describe, expect, test } from 'vitest';
import { printBody } from '../../compiler/ast/print.js';
import { parseTerm } from '../../compiler/syntax/query.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import { compileFor, queryFor } from '../../test/harness/plans.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { allAtOnce } from '../../values/steps.js';
import { knownDocuments } from '../policies/known-documents.js';
import type { KnownDocuments } from './long-documents.js';
import { partialSteps } from './partial/partial.js';
import { writtenBody } from './partial/residual/source.js';
import { programFor } from './search-program.js';

const data = { xs: Array.from({ length: 2000 }, (_, i) => i), base: { a: 1 } };
const input = { ys: Array.from({ length: 2000 }, (_, i) => i) };

interface Found {
  /** The residual as text, or the error. */
  readonly left: string;
  /** The documents that the program was asked for, without its answers that it did not have. */
  readonly answered: readonly string[];
}

/** A query for which `input.row` is unknown. */
async function residual(rules: string, isAsked: boolean, options: EvaluationOptions = {}): Promise<Found> {
  const compiled = compileFor([`package t\n${rules}`], { print: true });
  const query = queryFor(compiled, 'data.t.p = x');
  const program = await programFor(compiled, [query.body]);
  const programs = knownDocuments(compiled);
  const answered: string[] = [];
  const known: KnownDocuments = {
    answer: (path, documents, evaluation) => {
      const answer = programs.answer(path, documents, evaluation);
      if (answer !== undefined) answered.push(path.join('.'));
      return answer;
    },
  };
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const evaluation = new Evaluation(context, options, new AnswerRecord());
  const asked = { unknowns: [parseTerm('input.row')], nondeterministicBuiltins: true, ...(isAsked && { known }) };
  try {
    const { queries, support } = allAtOnce(partialSteps(program, query, { input, data }, evaluation, asked));
    expect(support).toEqual([]);
    return { left: queries.map((body) => printBody(writtenBody(body))).join('\n'), answered };
  } catch (error) {
    const { message, location, rules: stack } = error as { message: string; location: unknown; rules: unknown };
    return { left: JSON.stringify({ message, location, stack }), answered };
  }
}

const many = 'some i in data.xs; i >= 1000';

describe('is asked for, and the residual is the same:', () => {
  test.each([
    ['a value', `p := input.row + q\nq := count([i | ${many}])`],
    ['a value that is undefined', `p if not q\np if input.row == 1\nq if { some i in data.xs; i > 5000 }`],
    ['a default', `default q := 7\nq := 1 if { some i in data.xs; i > 5000 }\np := q if input.row`],
    ['an else', `q := 1 if { some i in data.xs; i > 5000 } else := 2\np := q if input.row`],
    ['a set', `q contains i if { ${many}; i < 1003 }\np := y if { some y in q; y == input.row }`],
    ['an object', `q[i] := j if { ${many}; i < 1003; j := i + 1 }\np := q[input.row]`],
    ['an object of objects', `q[i].a := i if { ${many}; i < 1003 }\np := q if input.row`],
    ['a document that reads others', `p := input.row + r\nr := q + 1\nq := count([i | ${many}])`],
    ['a rule of a package', `p := data.t.q if input.row\nq := count([i | ${many}])`],
    ['a replaced input', `p := y if { y := q with input.ys as data.xs; input.row }\nq := count([i | some i in input.ys; i >= 1500])`],
    ['calls of functions', `f(i) := i * 2\nq := sum([f(i) | ${many}])\np := input.row + q`],
    ['the time', `q := n if { n := count([i | ${many}]); time.now_ns() > 0 }\np := input.row + q`],
    ['errors of built-ins, which are undefined', `q := count([1 | ${many}; 1 / (i - i)])\np := input.row + q`],
  ])('%s', async (_title, rules) => {
    const found = await residual(rules, true);
    expect(found.answered.length).toBeGreaterThan(0);
    expect(found.left).toBe((await residual(rules, false)).left);
  });
});

describe('is evaluated by the search:', () => {
  test.each([
    ['a short document', 'p := input.row + q\nq := count(data.base)'],
    ['what depends on the unknown', `p := count([i | ${many}; i == input.row])`],
    ['a document over replaced data', `p := y if { y := q with data.xs as input.ys; input.row }\nq := count([i | ${many}])`],
    ['a document with a replaced function', `p := y if { y := q with f as 5; input.row }\nf(i) := i\nq := sum([f(i) | ${many}])`],
    ['a document that prints', `p := input.row + q\nq := n if { n := count([i | ${many}]); print(n) }`],
    ['values of which two are in conflict', `p := input.row + q\nq := 1 if { ${many}; i == 1500 }\nq := 2`],
    ['an object with a conflict', `p := q[input.row]\nq[i % 2] := i if { ${many} }`],
  ])('%s', async (_title, rules) => {
    const found = await residual(rules, true);
    expect(found.answered).toEqual([]);
    expect(found).toEqual(await residual(rules, false));
  });

  test('an error of a built-in that is strict', async () => {
    const rules = `p := input.row + q\nq := count([1 | ${many}; 1 / (1500 - i)])`;
    const found = await residual(rules, true, { strictBuiltinErrors: true });
    expect(found.left).toContain('divide by zero');
    expect(found).toEqual(await residual(rules, false, { strictBuiltinErrors: true }));
  });

  test('built-in errors that are reported, each once', async () => {
    const rules = `p := input.row + q\nq := count([1 | ${many}; i > 1990; 1 / (i - i)])`;
    const errors: string[] = [];
    const found = await residual(rules, true, { onBuiltinError: ({ message }) => errors.push(message) });
    expect(found.answered).toEqual([]);
    expect(errors).toHaveLength(9);
  });
});

test('limits hold while the program is asked', async () => {
  const rules = 'p := input.row + q\nq := count([1 | some i in data.xs; some j in data.xs; some k in data.xs; i + j == k])';
  for (const options of [{ timeMs: 300 }, { signal: AbortSignal.abort() }, { instructions: 50_000 }]) {
    expect((await residual(rules, true, options)).left).toContain('eval_cancel_error');
  }
});
