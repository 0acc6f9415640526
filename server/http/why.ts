/** Decisions explained by their rules: `explain=why`, and `why` in the decision log. */
import type { Explanation } from '../../engine/query/why/explanation.js';
import { explanationText } from '../../engine/query/why/explanation-text.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { AppContext } from '../control/app-context.js';
import type { Exchange } from './requests/exchange.js';
import { invalidParameter } from './responses/api-error.js';

/** The longest chain of rules that a request may ask for. */
const mostDepth = 100;

/** How a request's decision is explained. */
export interface WhyRequest {
  /** Whether the answer shows the explanation, not only the log. */
  readonly isShown: boolean;
  readonly depth: number;
}

/** Undefined where nothing wants an explanation. Throws an ApiError for a malformed depth. */
export function whyRequest({ params, search }: Exchange, { plugins }: AppContext): WhyRequest | undefined {
  if (search !== '' && params.all('explain').includes('why'))
    return { isShown: true, depth: depthOf(params.get('depth')) };
  return plugins.decisionLog?.wantsWhy === true ? { isShown: false, depth: 0 } : undefined;
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
