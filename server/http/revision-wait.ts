/** Reads that ask for a revision: they wait until it is applied here. */
import type { AppContext } from '../control/app-context.js';
import type { Exchange } from './requests/exchange.js';
import { invalidParameter, unavailable } from './responses/api-error.js';

/**
 * Waits as `Min-Revision` and `Consistency` say; undefined where the request has neither. Rejects
 * with an ApiError where the revision is not applied in time.
 */
export function revisionWait(exchange: Exchange, context: AppContext): Promise<void> | undefined {
  const least = exchange.header('min-revision');
  const consistency = exchange.header('consistency');
  return least === undefined && consistency === undefined ? undefined : waitFor(least, consistency, exchange, context);
}

async function waitFor(
  least: string | undefined,
  consistency: string | undefined,
  exchange: Exchange,
  { writing, settings, engine }: AppContext,
): Promise<void> {
  if (least !== undefined && !/^\d{1,15}$/.test(least)) throw invalidParameter('Min-Revision must be a whole number');
  if (consistency !== undefined && consistency !== 'strong') throw invalidParameter('Consistency must be "strong"');
  const until = performance.now() + settings.revisionWaitMs;
  const head = consistency === undefined ? 0 : await writing.head();
  const revision = Math.max(head, Number(least ?? 0));
  // Asked for its head, the log is followed at once: processes of a file are told of no writes.
  if (consistency === undefined && revision > engine.version.revision) void writing.head().catch(() => undefined);
  const timeMs = Math.min(until, exchange.deadline.until) - performance.now();
  if (!(await engine.whenRevision(revision, timeMs, exchange.signal)))
    throw unavailable(`revision ${revision} is not applied yet: this is revision ${engine.version.revision}`);
  exchange.revision = engine.version.revision;
}
