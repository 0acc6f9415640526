/** The envelopes of decisions as text. */

import type { Decided, Metrics } from '../../../engine/index.js';
import type { HeldVersion } from '../../../runtime/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import {
  encodeUtf8,
  inSlices,
  JsonError,
  joinBytesSteps,
  presentMembers,
  toIndentedJson,
  toJson,
  writeJsonSteps,
} from '../../../values/index.js';
import { shownMetrics } from '../decisions.js';
import type { Shown } from '../explanations.js';
import type { Exchange } from '../requests/exchange.js';
import { jsonText } from './answer.js';
import { provenance } from './provenance.js';

type Parts = { readonly [name: string]: Value | undefined };

/** The envelope of a decision, without its undefined members. */
export function envelope(parts: Parts, pretty: boolean): string {
  return jsonText(presentMembers(parts), pretty);
}

/** The most values that are written at once, in some milliseconds. */
const manyValues = 10_000;

/** How to write a value. */
interface Writing {
  readonly pretty: boolean;
  /** Keeps the documents unchanged meanwhile. Absent where the value shares no parts with them. */
  readonly hold?: () => HeldVersion;
  /** The request whose memory the text takes. */
  readonly exchange: Exchange;
}

/** The envelope of a decision, which is written in steps where it is large. */
export function envelopeOf(parts: Parts, writing: Writing): string | Promise<Uint8Array> {
  return bodyOf(presentMembers(parts), writing);
}

/** The envelope of a decision, with a member in front that is JSON already, in parts. */
export function envelopeWith(
  name: string,
  member: readonly Uint8Array[] | undefined,
  parts: Parts,
  writing: Writing,
): string | Promise<Uint8Array> {
  const rest = envelopeOf(parts, writing);
  if (member === undefined) return rest;
  const hasMore = rest !== '{}\n';
  const after = (bytes: Uint8Array) =>
    joined([encodeUtf8(`{"${name}":`), ...member, encodeUtf8(hasMore ? ',' : ''), bytes.subarray(1)], writing);
  return typeof rest === 'string' ? after(encodeUtf8(rest)) : rest.then(after);
}

function joined(parts: Uint8Array[], { exchange }: Writing): Promise<Uint8Array> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  exchange.take(length);
  return inSlices(joinBytesSteps(parts, Buffer.allocUnsafeSlow(length)));
}

/** A decision as a body, like `envelopeOf`. */
export function bodyOf(value: Value, { pretty, hold, exchange }: Writing): string | Promise<Uint8Array> {
  try {
    return `${pretty ? toIndentedJson(value, undefined, undefined, manyValues) : toJson(value, manyValues)}\n`;
  } catch (error) {
    // Too large or too deep to be written at once.
    if (!(error instanceof JsonError)) throw error;
  }
  const held = hold?.();
  const steps = writeJsonSteps(value, { pretty, take: exchange.take, after: '\n' });
  return inSlices(exchange.deadline.during(steps, 'writing the answer timed out')).finally(() => held?.release());
}

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
