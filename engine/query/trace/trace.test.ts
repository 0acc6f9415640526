/** Events of evaluations, as the recordings of the REST API have them. */
import { expect, test } from 'vitest';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import { compileFor } from '../../../test/harness/plans.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { allAtOnce } from '../../../values/steps.js';
import type { Value } from '../../../values/value.js';
import { tracedPathQuery } from '../../policies/path-queries.js';
import { programFor } from '../search-program.js';
import { prettyTrace } from './output/pretty.js';
import { type ExplainMode, Recorder } from './output/recorder.js';
import { VariableNames } from './output/variable-names.js';
import { traceQuery } from './trace.js';

async function trace(rules: string, path: string, mode: ExplainMode, input?: Value, data: Value = {}): Promise<readonly string[]> {
  const compiled = compileFor(rules);
  const query = tracedPathQuery(path.split('.'));
  const { body } = query;
  const program = await programFor(compiled, [body]);
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const recorder = new Recorder(mode, true);
  allAtOnce(traceQuery(program, body, { input, data }, new Evaluation(context, {}, new AnswerRecord()), recorder));
  const lines = allAtOnce(prettyTrace(recorder.events, new VariableNames(compiled, query)));
  return lines.map((line) => line.replace(/^(\S+?):(\d+) +/, '$2 '));
}

test('a rule that can have one value ends with its first solution', async () => {
  const rules = 'p if {\n  some x in input\n  x > 1\n}';
  expect(await trace(rules, 't.p', 'full', [1, 2, 3])).toEqual([
    '1 Enter data.t.p = _',
    '1 | Eval data.t.p = _',
    '1 | Index data.t.p (matched 1 rule, early exit)',
    '2 | Enter data.t.p',
    '3 | | Eval x = input[__local0__]',
    '4 | | Eval gt(x, 1)',
    '4 | | Fail gt(x, 1)',
    '3 | | Redo x = input[__local0__]',
    '4 | | Eval gt(x, 1)',
    '2 | | Exit data.t.p early',
    '1 | Exit data.t.p = _',
    '1 Redo data.t.p = _',
    '1 | Redo data.t.p = _',
    '2 | Redo data.t.p',
    '4 | | Redo gt(x, 1)',
    '3 | | Redo x = input[__local0__]',
  ]);
});

test('a solution that adds nothing to a set or a function is a duplicate', async () => {
  const rules = 's contains 1 if some i in input\np if s\nf(x) := x if x > 0\nf(x) := x if x > 1\nq if f(input[0])';
  const duplicates = async (path: string) => (await trace(rules, path, 'full', [3, 3])).filter((line) => line.includes('Duplicate'));
  expect(await duplicates('t.p')).toEqual(['2 | | | Duplicate data.t.s']);
  expect(await duplicates('t.q')).toEqual(['5 | | | Duplicate data.t.f']);
});

test('a negation is evaluated with the replacements that stand behind it', async () => {
  const rules = 'p if not q with input.x as 2\nq if input.x == 2';
  const lines = await trace(rules, 't.p', 'full', { x: 1 });
  expect(lines).toContain('2 | | Eval not data.t.q with input.x as 2');
  expect(lines.some((line) => line.endsWith('Exit data.t.q early'))).toBe(true);
  expect(lines).toContain('2 | | Fail not data.t.q with input.x as 2');
});

test('rules with keys that are variables have no early exit', async () => {
  const rules = 'm[x][y] if { x := "a"; y := "b" }\nn.a := 1\nq if { m.a.b; n.a == 1 }';
  const lines = await trace(rules, 't.q', 'full');
  expect(lines.filter((line) => line.includes('Index')).map((line) => line.replace(/^.*Index /, ''))).toEqual([
    'data.t.q (matched 1 rule, early exit)',
    'data.t.m (matched 1 rule)',
    'data.t.n.a (matched 1 rule, early exit)',
  ]);
});

test('a negation that became several expressions is shown in braces, and again when it is redone', async () => {
  const rules = 'import future.keywords.not\np if not upper(input.x) == "A"';
  const lines = await trace(rules, 't.p', 'full', { x: 'b' });
  const negations = lines.filter((line) => line.includes(' not ')).map((line) => line.replace(/^.*(Eval|Redo|Fail) /, '$1 '));
  expect(negations).toEqual([expect.stringMatching(/^Eval not \{.*; .*\}$/), expect.stringMatching(/^Redo not \{.*; .*\}$/)]);
});
