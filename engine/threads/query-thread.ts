/** Long queries, compiled in a thread. */

import { type Compiled, compileErrors, type Diagnostic } from '../../compiler/index.js';
import { EvaluationError, unpackExecutable } from '../../runtime/index.js';
import { builtins } from '../../values/index.js';
import { targetOf } from '../evaluation/evaluate.js';
import { solutionNumber } from '../evaluation/solutions.js';
import type { CompileElsewhere } from '../policies/compile-query.js';
import type { ChoreReport, QueryChore } from './chores.js';
import { ChoreError, type SideThread } from './side-thread.js';

/** Compiles queries in a thread, over the built-ins that every release has. */
export function queriesIn(thread: SideThread): CompileElsewhere {
  const known = new Map(builtins).set(solutionNumber.name, solutionNumber);
  return async (compiled, text, { metrics, timeMs, signal, language, unsafeBuiltins, instrument }) => {
    const { capabilities, errorLimit, print, strict, schemas } = compiled.options;
    const options = { capabilities, errorLimit, print, strict, schemas } as QueryChore['options'];
    const chore = {
      kind: 'query',
      text,
      language,
      ...policiesOf(compiled),
      options,
      unsafeBuiltins,
      instrument,
    } as const;
    let report: ChoreReport;
    try {
      report = await thread.run(chore, { timeMs: timeMs ?? 0, signal });
    } catch (error) {
      if (error instanceof ChoreError) throw new EvaluationError('eval_cancel_error', complaints[error.code]);
      throw error;
    }
    if (!('query' in report)) throw new Error('a query was taken for something else');
    const { query } = report;
    for (const [name, nanoseconds] of query.timers) metrics?.add(name, nanoseconds);
    if ('diagnostics' in query) throw compileErrors(JSON.parse(query.diagnostics) as Diagnostic[]);
    return targetOf(await unpackExecutable(query.program, known), 'query');
  };
}

const complaints: { readonly [Code in ChoreError['code']]: string } = {
  timed_out: 'query execution timed out',
  cancelled: 'caller cancelled query execution',
  out_of_memory: 'compiling the query needs more memory than there is',
  failed: 'compiling the query failed',
};

const known = new WeakMap<Compiled, Pick<QueryChore, 'policies' | 'modules'>>();
/** Threads know compiled policies by number, in all engines of the process. */
let count = 0;

function policiesOf(compiled: Compiled): Pick<QueryChore, 'policies' | 'modules'> {
  let policies = known.get(compiled);
  if (policies === undefined) {
    const modules = [...compiled.modules].map(([name, { parsed }]) => {
      const { source, regoVersion } = parsed;
      return {
        name,
        file: source.file,
        text: source.text,
        language: regoVersion === 'v1' ? regoVersion : 'v0',
      } as const;
    });
    known.set(compiled, (policies = { policies: ++count, modules }));
  }
  return policies;
}
