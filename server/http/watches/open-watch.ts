/** Watches of clients, up to a number. */
import type { Watch, Watches } from '../../../engine/index.js';
import { JsonError, toJson, type Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { metricsOf } from '../decisions.js';
import type { Exchange } from '../requests/exchange.js';
import { ApiError } from '../responses/api-error.js';

/** Rejects with an ApiError where there are as many as the configuration allows. */
export async function openWatch<T>(
  { engine, settings }: AppContext,
  open: (watches: Watches) => Watch<T>,
): Promise<Watch<T>> {
  const watches = await engine.watches();
  if (watches.size >= settings.maxWatches)
    throw new ApiError(
      503,
      'unavailable',
      `there are ${settings.maxWatches} watches, as many as server.max_watches allows`,
    );
  return open(watches);
}

/** Watches with larger inputs are evaluated alone. */
const maxShared = { values: 200, characters: 4096 };

/**
 * The text that is equal for watches with equal answers; undefined where the answers differ, as
 * their metrics do, or where each is logged.
 */
export function sharedAs(exchange: Exchange, context: AppContext, input: Value | undefined): string | undefined {
  if (metricsOf(exchange, context) !== undefined) return undefined;
  try {
    const text = input === undefined ? '' : toJson(input, maxShared.values);
    return text.length > maxShared.characters ? undefined : `${exchange.method} ${exchange.search} ${text}`;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}
