/** One decision for the page of a server, explained. */

import { explainDecision, explanationText } from '../../../engine/index.js';
import type { AppContext, Exchange, RecentDecision } from '../../../server/index.js';
import { jsonCopy, type PlainObject, toIndentedJson, toJson, type Value } from '../../../values/index.js';
import type { DecisionDetail } from '../../web/server/server-view.js';

/** Rules that an explanation follows below the one that was asked for. */
const depth = 3;

/** The event of a decision, and why the policies and documents of now decide so. */
export async function decisionDetail(
  decision: RecentDecision,
  exchange: Exchange,
  context: AppContext,
): Promise<DecisionDetail> {
  const { event, isShortened } = decision;
  const shown = { event: toIndentedJson(event), isShortened };
  const { path } = event;
  if (typeof path !== 'string') return { ...shown, note: 'Queries are not explained, only decisions at a path.' };
  const unexplained = problemOf(decision);
  if (unexplained !== undefined) return { ...shown, path, note: unexplained };
  try {
    return { ...shown, path, ...(await explained(decision, path, exchange, context)) };
  } catch (error) {
    return { ...shown, path, note: error instanceof Error ? error.message : String(error) };
  }
}

/** Why a decision cannot be made again. */
function problemOf({ event, input, isShortened }: RecentDecision): string | undefined {
  if (isShortened) return 'The event was too long to be kept whole, so the decision is not explained.';
  if (input === undefined && changesOf(event).some((path) => path.startsWith('/input')))
    return 'Another process decided, and its input is masked, so the decision is not explained.';
  return undefined;
}

/** Paths that the mask decision removed or replaced. */
function changesOf({ erased, masked }: PlainObject): readonly string[] {
  return [erased, masked].flatMap((paths) => (Array.isArray(paths) ? (paths as string[]) : []));
}

async function explained(
  { event, input = event.input }: RecentDecision,
  path: string,
  exchange: Exchange,
  { engine, plugins, settings }: AppContext,
): Promise<Pick<DecisionDetail, 'why' | 'note'>> {
  const options = {
    timeMs: Math.min(exchange.deadline.leftMs, settings.evaluationTimeMs),
    depth,
    timeNs: typeof event.timestamp === 'string' ? BigInt(Date.parse(event.timestamp)) * 1_000_000n : undefined,
    // The mask decision gets the input that was asked with, not the one that it has masked.
    event: { ...event, ...(input !== undefined && { input }) },
    maskDecision: plugins.decisionLog?.maskDecision,
    onPrint: () => true,
  };
  const segments = path.split('/').filter((part) => part !== '');
  return await explainDecision(engine, { path: segments, input }, options, ({ value, error, explanation }) => ({
    why: explanationText(explanation),
    ...(isOther(event, value, error !== undefined) && {
      note: 'Policies, data or the world have changed since: this is why the answer would be so now.',
    }),
  }));
}

/** Whether a decision came to something else than the event says. */
function isOther(event: PlainObject, value: Value | undefined, hasFailed: boolean): boolean {
  if (hasFailed || event.error !== undefined) return hasFailed !== (event.error !== undefined);
  if (changesOf(event).some((path) => path.startsWith('/result'))) return false;
  const [then, now] = [event.result, value].map((each) => each && toJson(jsonCopy(each)));
  return then !== now;
}
