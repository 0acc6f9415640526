/** The bodies of decisions. */
import type { Decided, Metrics } from '../../../engine/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import { JsonError, toJson } from '../../../values/index.js';
import { shownMetrics } from '../decisions.js';
import type { Exchange } from '../requests/exchange.js';
import type { Shown } from '../traces.js';
import { envelopeOf, envelopeWith } from './envelope.js';
import { provenance } from './provenance.js';

/** The fields beside a result. */
interface Beside {
  readonly metrics: Metrics | undefined;
  readonly warning: Value | undefined;
  readonly id: string | undefined;
  readonly explanation: Shown;
  readonly ruleLabels?: readonly PlainObject[] | undefined;
}

/** The envelope of a decision, as the request's parameters ask for it. */
export function decisionBody(
  exchange: Exchange,
  { value, bundles, hold }: Decided,
  { metrics, warning, id, explanation, ruleLabels }: Beside,
): string | Promise<Uint8Array> {
  // Most answers have no member but the result.
  if (exchange.search === '' && warning === undefined && id === undefined) return resultText(value, exchange, hold);
  const { params } = exchange;
  const pretty = params.on('pretty');
  const wantsProvenance = params.on('provenance');
  return envelopeWith(
    'explanation',
    explanation.json,
    {
      decision_id: id,
      provenance: wantsProvenance ? provenance(bundles) : undefined,
      explanation: explanation.value,
      metrics: shownMetrics(exchange, metrics),
      result: value,
      rule_labels: ruleLabels,
      warning,
    },
    { pretty, hold, exchange },
  );
}

/** Most answers have fewer values. */
const fewValues = 1000;

function resultText(value: Value | undefined, exchange: Exchange, hold: Decided['hold']): string | Promise<Uint8Array> {
  if (value === undefined) return '{}\n';
  try {
    return `{"result":${toJson(value, fewValues)}}\n`;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return envelopeOf({ result: value }, { pretty: false, hold, exchange });
  }
}
