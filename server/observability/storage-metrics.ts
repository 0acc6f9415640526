/** How a server follows its log of writes, for `/metrics` and status. */

import type { PlainObject } from '../../values/index.js';
import { type Metric, singleMetric } from '../services/metrics/prometheus.js';
import type { WritingState } from '../storage/writing.js';

function gauge(name: string, help: string, value: number): Metric {
  return singleMetric({ name, type: 'gauge', help }, value);
}

/** @param revision that the engine has; the only one where there is no log */
export function storageMetrics(revision: number, state: WritingState | undefined): readonly Metric[] {
  const applied = gauge('storage_revision', 'The revision of the last write that is applied.', revision);
  if (state === undefined) return [applied];
  return [
    applied,
    gauge('storage_lag_revisions', 'The writes of the log that are not applied yet.', state.head - state.revision),
    gauge('storage_lag_seconds', 'The time since all of the log was applied.', state.lagSeconds),
    gauge('storage_up', 'Whether the log answered when it was last asked.', state.isReachable ? 1 : 0),
  ];
}

/** Undefined where nothing was written to memory. */
export function storageStatus(revision: number, state: WritingState | undefined): PlainObject | undefined {
  if (state === undefined) return revision === 0 ? undefined : { revision };
  const { name, head, lagSeconds, isReachable, isHealthy, problem } = state;
  return {
    name,
    revision,
    head_revision: head,
    lag_seconds: lagSeconds,
    reachable: isReachable,
    healthy: isHealthy,
    ...(problem !== undefined && { problem }),
  };
}
