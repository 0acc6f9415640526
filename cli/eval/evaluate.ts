/** Evaluates a query once, from the loaded plans or by compiling it. */
import type { BuiltinError } from '../../runtime/builtins/errors.js';
import { EvaluationError } from '../../runtime/evaluation/errors.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { Place } from '../../runtime/evaluation/place.js';
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
      onBuiltinError: (error: BuiltinError, _name: string, place: Place) => builtinErrors.push(builtinError(error, place)),
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

function builtinError({ code, message }: BuiltinError, location: Place): OutputError {
  return { ...outputErrors(new EvaluationError(code, message, location))[0]!, isBuiltinError: true };
}
