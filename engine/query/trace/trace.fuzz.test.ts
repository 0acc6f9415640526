/**
 * Random policies: a traced evaluation has the solutions of one without a tracer, and each query
 * that is entered is left in order. `WRIT_RUNS=100000` runs more, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import { CompileErrors } from '../../../compiler/diagnostics/diagnostics.js';
import { compileModules, compileQuery } from '../../../compiler/pipeline.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import { EvaluationError } from '../../../runtime/evaluation/evaluation-errors.js';
import { randomCase } from '../../../test/generators/random-case.js';
import { isPlannable, parsed } from '../../../test/generators/random-policy.js';
import { prepareQueries } from '../../../test/harness/queries.js';
import { isLongSearch, randomCases } from '../../../test/harness/set-up/random-cases.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { makeObject } from '../../../values/compare.js';
import { toJson } from '../../../values/json/json.js';
import { RegoSet } from '../../../values/set.js';
import { allAtOnce } from '../../../values/steps.js';
import type { Value } from '../../../values/value.js';
import { evaluateAll } from '../../evaluation/evaluate.js';
import { programFor } from '../search-program.js';
import { prettyTrace } from './output/pretty.js';
import { Recorder, TraceFull } from './output/recorder.js';
import { writeEvents } from './output/trace-json.js';
import { VariableNames } from './output/variable-names.js';
import { traceQuery } from './trace.js';

const runs = randomCases(100);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test('a traced evaluation has the solutions of one without a tracer', { timeout: 36_000_000 }, async () => {
  const different: string[] = [];
  const counts = { compared: 0, events: 0 };
  for (let seed = start; seed < start + runs; seed++) {
    const policy = randomCase(seed);
    if (policy === undefined) continue;
    const { data } = policy;
    const [input] = policy.inputs;
    const texts = [...policy.modules.values()];
    const asked = `x = data.${policy.paths[0]!.join('.')}`;
    const shown = `${texts.join('\n')}\nquery ${asked}\ninput ${JSON.stringify(input)}`;
    try {
      const compiled = compileModules({ modules: parsed(texts), options: { errorLimit: 0 } });
      const query = compileQuery(compiled, parseQuery(asked));
      if (!isPlannable([...compiled.diagnostics, ...query.diagnostics])) continue;
      const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
      const options = { timeMs: 20_000, timeNs: 0n, random: () => 0.5 };
      const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
      const plain = toJson(new RegoSet(evaluateAll([{ executable, plan: 0 }], { input, data }, context, options)[0]));
      const recorder = new Recorder(seed % 2 === 0 ? 'full' : 'debug', true);
      const evaluation = new Evaluation(context, options, new AnswerRecord());
      const program = await programFor(compiled, [query.body]);
      const solutions = allAtOnce(traceQuery(program, query.body, { input, data }, evaluation, recorder));
      const visible = solutions.map((solution): Value => {
        const written = [...solution].flatMap(([name, value]) => {
          const own = name.startsWith('$') ? undefined : name.startsWith('__local') ? query.names.get(name) : name;
          return own === undefined ? [] : [[own, value] as const];
        });
        return makeObject(written);
      });
      const traced = toJson(new RegoSet(visible));
      counts.compared++;
      counts.events += recorder.events.length;
      const names = new VariableNames(compiled, query);
      expect(allAtOnce(prettyTrace(recorder.events, names))).toHaveLength(recorder.events.length);
      expect(JSON.parse(Buffer.concat(allAtOnce(writeEvents(recorder.events, names))).toString())).toHaveLength(recorder.events.length);
      if (plain !== traced) different.push(`seed ${seed}: plain ${plain}, traced ${traced}\n${shown}`);
    } catch (error) {
      // Errors are compared elsewhere: the order in which an evaluation comes to them is its own.
      if (error instanceof CompileErrors || error instanceof EvaluationError || error instanceof TraceFull) continue;
      different.push(`seed ${seed}: ${(error as Error).stack}\n${shown}`);
    }
  }
  if (isLongSearch) console.log(JSON.stringify(counts));
  expect(different.slice(0, 3).join('\n\n')).toBe('');
  expect(counts.compared).toBeGreaterThan(runs / 4);
});
