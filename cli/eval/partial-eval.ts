/** Partial evaluation of a query: `--partial` of `eval` and `bench`. Loaded only for that. */
import { parseRef, parseTerm, type RefTerm } from '../../compiler/index.js';
import type { PartialResult, QueryOptions, Trace, TraceOptions } from '../../engine/index.js';
import { NotedAnswers } from '../../engine/index.js';
import type { Value } from '../../values/index.js';
import { compileOptions, languageVersion } from '../compile-flags.js';
import { CommandError, exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import type { LoadOptions } from '../load-policies.js';
import { openCommandEngine } from './command-engine.js';
import { onPlug } from './eval-flags.js';
import { parseAll, readQueryText, sourceOptions, type UnparsedSources } from './read-sources.js';
import type { Timers } from './timers.js';

/** Its methods reject with an EvaluationError. */
interface PartialEvaluation {
  evaluate(input: Value | undefined): Promise<PartialResult>;
  /** Evaluates partially, with a trace. */
  explain(
    input: Value | undefined,
    mode: TraceOptions['mode'],
  ): Promise<{ readonly partial: PartialResult; readonly trace: Trace }>;
}

/** Compiles. Rejects with a PolicyLoadError or CompileErrors. */
export async function preparePartially(
  text: string,
  sources: UnparsedSources,
  flags: FlagValues,
  timers: Timers,
  io: Io,
): Promise<PartialEvaluation> {
  const given = await compileOptions(flags);
  const load: LoadOptions = { version: languageVersion(flags), capabilities: given.capabilities };
  const parsed = await timers.time('rego_module_parse', () => parseAll(sources, load));
  const options = sourceOptions(given, flags, timers);
  const engine = await timers.time('rego_module_compile', () =>
    openCommandEngine(parsed, sources.bundle.data, options, io),
  );
  const { query, ...scope } = await timers.time('rego_query_parse', () => readQueryText(text, load, flags));
  const unknowns = flags.all('unknowns');
  const asked = {
    query,
    scope: { imports: scope.imports, ...(scope.package && { package: scope.package }) },
    ...(unknowns.length > 0 && { unknowns: unknowns.map((one) => parsedFlag('unknowns', one, parseTerm)) }),
    disableInlining: flags.all('disable-inlining').map((one) => parsedFlag<RefTerm>('disable-inlining', one, parseRef)),
    shallowInlining: flags.on('shallow-inlining'),
    nondeterministicBuiltins: flags.on('nondeterminstic-builtins'),
    supportVersion: load.version === 'v1' ? ('v1' as const) : ('v0v1' as const),
    plugged: onPlug(flags, timers),
  };
  const evaluation = { timeMs: flags.number('timeout') ?? 0, strictBuiltinErrors: flags.on('strict-builtin-errors') };
  const evaluate = (input: Value | undefined, options: QueryOptions): Promise<PartialResult> =>
    timers.time('rego_partial_eval', () => engine.partial(asked, input, options, (result) => result));
  return {
    evaluate: (input) => evaluate(input, evaluation),
    async explain(input, mode) {
      const { options, known } = new NotedAnswers(evaluation);
      const partial = await evaluate(input, options);
      return {
        partial,
        trace: await engine.trace({ partial: asked }, input, { ...evaluation, mode, known, prints: true }),
      };
    },
  };
}

function parsedFlag<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(`--${name}: ${(error as Error).message}`, exitCodes.evaluationError);
  }
}
