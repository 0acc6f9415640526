/** Decisions explained by their rules: `explain=why`, and `why` in the decision log. */
import type { Explanation } from '../../engine/index.js';
import { explanationText } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { Exchange } from './requests/exchange.js';
import { invalidParameter } from './responses/api-error.js';

/** The longest chain of rules that a request may ask for. */
const mostDepth = 100;

/** How the answer of a request explains its decision. */
export interface WhyRequest {
  readonly depth: number;
}

/** Undefined where the answer shows no explanation. Throws an ApiError for a malformed depth. */
export function whyRequest({ params, search }: Exchange): WhyRequest | undefined {
  const isShown = search !== '' && params.all('explain').includes('why');
  return isShown ? { depth: depthOf(params.get('depth')) } : undefined;
}

function depthOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const depth = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(depth <= mostDepth)) throw invalidParameter(`depth must be a whole number of at most ${mostDepth}`);
  return depth;
}

/** With `pretty`, the lines of the text. */
export function shownExplanation({ params }: Exchange, explanation: Explanation): Value {
  return params.on('pretty')
    ? explanationText(explanation).trimEnd().split('\n')
    : (explanation as unknown as PlainObject);
}
