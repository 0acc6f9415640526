/** Evaluates a query once, from the loaded plans or by compiling it. */
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { Value } from '../../runtime/values/value.js';
import { outputErrors } from '../output/failures.js';
import type { Output, OutputError } from '../output/output.js';
import { isPlanned, planResults, type RoundSettings } from './plan-results.js';
import type { EvalSources } from './sources.js';

/** Errors of loading, compiling and evaluating are part of the output. */
export async function evaluateOnce(sources: EvalSources, text: string, input: Value | undefined, settings: RoundSettings): Promise<Output> {
  const { flags, timers, io } = settings;
  const builtinErrors: OutputError[] = [];
  const options: EvaluationOptions = {
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
    timeMs: flags.number('timeout') ?? 0,
    onPrint: (line: string) => io.stderr(`${line}\n`),
    ...(flags.on('show-builtin-errors') && {
      onBuiltinError: ({ code, message }: { code: string; message: string }) => builtinErrors.push(builtinError(code, message)),
    }),
  };
  try {
    if (!isPlanned(text, sources, flags)) {
      const { prepareQuery } = await import('./source-eval.js');
      const query = await prepareQuery(text, sources, flags, timers, io);
      return { errors: builtinErrors, ...(await query.run(input, options)) };
    }
    return { errors: builtinErrors, results: await planResults(text, sources, input, settings, options) };
  } catch (error) {
    return { errors: [...outputErrors(error), ...builtinErrors], results: [] };
  }
}

function builtinError(code: string, message: string): OutputError {
  return { message, code, text: `${code}: ${message}`, isBuiltinError: true };
}
