/** Watches of clients, up to a number. */
import type { Watch } from '../../../engine/watches/watch.js';
import type { Watches } from '../../../engine/watches/watches.js';
import type { AppContext } from '../../control/app-context.js';
import { ApiError } from '../responses/api-error.js';

/** Rejects with an ApiError where there are as many as the configuration allows. */
export async function openWatch<T>({ engine, settings }: AppContext, open: (watches: Watches) => Watch<T>): Promise<Watch<T>> {
  const watches = await engine.watches();
  if (watches.size >= settings.maxWatches)
    throw new ApiError(503, 'unavailable', `there are ${settings.maxWatches} watches, as many as server.max_watches allows`);
  return open(watches);
}
