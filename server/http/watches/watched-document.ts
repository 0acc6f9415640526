/** `watch` of `/v1/data`: the document now, and again whenever it changes. */
import type { Decided } from '../../../engine/index.js';
import type { Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { decideOptions, notesOfRequest } from '../decisions.js';
import { explainerOf, isTraced, type Shown } from '../explanations.js';
import { RequestAsking } from '../request-asking.js';
import type { Exchange } from '../requests/exchange.js';
import { documentSegments } from '../requests/path.js';
import type { HttpAnswer } from '../responses/answer.js';
import { decisionBody, envelopeOf } from '../responses/envelope.js';
import { openWatch, sharedAs } from './open-watch.js';
import { bytesOf, isSameAnswer, renewed, streamed, type WatchedAnswer } from './stream.js';

export async function watchDocument(
  exchange: Exchange,
  context: AppContext,
  input: Value | undefined,
  warning: Value | undefined,
): Promise<HttpAnswer> {
  const path = documentSegments('/v1/data', exchange.path);
  const watch = await openWatch(context, (watches) => {
    let asked = renewed(exchange, context);
    let notes = notesOfRequest(asked, context);
    let explainer = explainerOf(asked, context, notes.metrics);
    return watches.onPath<WatchedAnswer>(path, {
      input,
      isSame: isSameAnswer,
      caller: exchange,
      sharedAs: isTraced(explainer) ? undefined : sharedAs(exchange, context, input),
      options: () => {
        asked = renewed(exchange, context);
        notes = notesOfRequest(asked, context);
        explainer = explainerOf(asked, context, notes.metrics);
        const options = decideOptions(asked, context, notes, true);
        return explainer.noting(options);
      },
      write: (decided: Decided) => {
        const asking = new RequestAsking(asked, context, { path: path.join('/'), segments: path, input, ...notes });
        const id = asking.answered(decided);
        const { metrics } = notes;
        const write = async (explanation: Shown = {}): Promise<WatchedAnswer> => {
          try {
            const result = await envelopeOf(
              { result: decided.value },
              { pretty: false, hold: decided.hold, exchange: asked },
            );
            return { result, body: bytesOf(await decisionBody(asked, decided, { metrics, warning, id, explanation })) };
          } finally {
            asked.release();
          }
        };
        return explainer.explained({ path }, input, decided.hold, write);
      },
    });
  });
  return await streamed(watch, exchange, context, (error) => error);
}
