/** `watch` of `/v1/query`: the solutions now, and again whenever they change. */
import { CompileErrors } from '../../../compiler/index.js';
import type { QuerySolution } from '../../../engine/index.js';
import type { Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { decideOptions, notesOfRequest, shownMetrics, unsafeBuiltins } from '../decisions.js';
import { RequestAsking } from '../request-asking.js';
import type { Exchange } from '../requests/exchange.js';
import type { HttpAnswer } from '../responses/answer.js';
import { complaintsOfQuery, invalidParameter } from '../responses/api-error.js';
import { envelopeOf } from '../responses/envelope.js';
import { openWatch, sharedAs } from './open-watch.js';
import { bytesOf, isSameAnswer, renewed, streamed, type WatchedAnswer } from './stream.js';

/** A watch compiles its query again, in one step, when policies change. */
const longestQuery = 4096;

export async function watchQuery(
  exchange: Exchange,
  context: AppContext,
  text: string,
  input: Value | undefined,
): Promise<HttpAnswer> {
  if (text.length > longestQuery)
    throw invalidParameter(`a query that is watched has at most ${longestQuery} characters`);
  const watch = await openWatch(context, (watches) => {
    let asked = renewed(exchange, context);
    let notes = notesOfRequest(asked, context);
    return watches.onQuery<WatchedAnswer>(
      { text, unsafeBuiltins },
      {
        input,
        isSame: isSameAnswer,
        caller: exchange,
        sharedAs: sharedAs(exchange, context, input),
        options: () => {
          asked = renewed(exchange, context);
          notes = notesOfRequest(asked, context);
          return decideOptions(asked, context, notes, false);
        },
        write: async ({ results, hold }) => {
          const result = results.length === 0 ? undefined : results.map(shown);
          const { active, revision } = context.engine.version;
          const asking = new RequestAsking(asked, context, { query: text, input, ...notes });
          asking.answered({ value: result ?? null, bundles: active, revision, hold });
          try {
            const writing = { hold, exchange: asked };
            const plain = await envelopeOf({ result }, { ...writing, pretty: false });
            const pretty = exchange.params.on('pretty');
            const times = shownMetrics(exchange, notes.metrics);
            if (!pretty && times === undefined) return { result: plain, body: bytesOf(plain) };
            return {
              result: plain,
              body: bytesOf(await envelopeOf({ result, metrics: times }, { ...writing, pretty })),
            };
          } finally {
            asked.release();
          }
        },
      },
    );
  });
  return await streamed(watch, exchange, context, (error) =>
    error instanceof CompileErrors ? complaintsOfQuery(error) : error,
  );
}

function shown({ expressions, bindings }: QuerySolution): Value {
  return {
    expressions: expressions.map(({ value, text, location }) => ({ value, text, location: { ...location } })),
    bindings,
  };
}
