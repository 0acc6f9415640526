import type { ExcerptStyle } from '../../compiler/index.js';
import type { ExplanationStyle } from '../../engine/index.js';
import type { Io } from '../io.js';

/** Colours of JSON on a terminal: keys blue, strings green, other values by type. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Adds colour escape sequences to JSON text. */
export function colored(json: string): string {
  return json.replace(tokens, (token: string, text: string | undefined, colon: string | undefined) => {
    if (text !== undefined) return colon === undefined ? paint(32, text) : paint(34, text) + colon;
    if (token === 'null') return paint(90, token);
    return paint(token === 'true' || token === 'false' ? 33 : 36, token);
  });
}

/** Colours of excerpts; undefined where the environment wants none. */
export function excerptStyle(env: Io['env']): ExcerptStyle | undefined {
  if (env.NO_COLOR || env.TERM === 'dumb') return undefined;
  return { gutter: (text) => paint(34, text), mark: (text) => paint(31, text) };
}

/** Colours of explanations. */
export const explanationStyle: ExplanationStyle = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  good: (text) => paint(32, text),
  bad: (text) => paint(31, text),
  dim: (text) => paint(90, text),
};

/** Paints a text in one of the terminal's colours. */
function paint(color: number, text: string): string {
  return `\u001b[${color}m${text}\u001b[39m`;
}
