/** Events of the decision log. */
import type { DecisionFacts } from '../../../engine/index.js';
import { wallClockNs } from '../../../runtime/index.js';
import { type PlainObject, presentMembers, rfc3339Text } from '../../../values/index.js';
import type { DecisionLogConfig } from './decision-log-config.js';

/** The event of a decision, in the reference's layout. */
export function eventOf(decision: DecisionFacts, config: DecisionLogConfig, labels: PlainObject): PlainObject {
  const { bundles = [], revision = 0, nondeterministic } = decision;
  const headers = headersOf(decision, config);
  const revisions = bundles.map(({ name, revision }) => [name, revision === '' ? {} : { revision }] as const);
  return presentMembers({
    labels,
    decision_id: decision.decisionId,
    batch_decision_id: decision.batchDecisionId,
    trace_id: decision.traceId,
    span_id: decision.spanId,
    bundles: revisions.length === 0 ? undefined : Object.fromEntries(revisions),
    // The reference has a text `revision` for that of a bundle.
    storage: revision === 0 ? undefined : { revision },
    path: decision.path === '' ? undefined : decision.path,
    query: decision.query,
    input: decision.input,
    result: decision.result,
    nd_builtin_cache: config.ndBuiltinCache ? nondeterministic : undefined,
    error: decision.error,
    rule_labels:
      decision.ruleLabels === undefined || decision.ruleLabels.length === 0 ? undefined : decision.ruleLabels,
    why: decision.why,
    requested_by: decision.requestedBy,
    timestamp: rfc3339Text(decision.timeNs ?? wallClockNs()),
    metrics: decision.metrics,
    req_id: decision.requestId === 0 ? undefined : decision.requestId,
    request_context: headers === undefined ? undefined : { http: { headers } },
    custom: decision.custom,
  });
}

function headersOf({ headers }: DecisionFacts, config: DecisionLogConfig): PlainObject | undefined {
  const found = config.headers.flatMap((name) => {
    const values = headers?.get(name.toLowerCase());
    return values === undefined ? [] : [[name, values] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
