/** `sprintf` of a constant format, and `concat` with a constant delimiter, as JavaScript's `+`. */
import { fewParts, shortUnits } from '../../../values/index.js';
import type { Kind } from '../known/known.js';
import type { Inline } from './inline-call.js';

/** Strings up to this length make no result that is too long. */
const maxLength = 2048;

interface Element {
  readonly text: string;
  readonly kind: Kind | undefined;
}

/** Undefined for a format that has more than plain `%s`, `%d` and `%v`, one for each element. */
export function inlineFormat(format: string, elements: readonly Element[]): Inline | undefined {
  const pieces = format.split('%');
  if (pieces.length !== elements.length + 1 || format.length > maxLength) return undefined;
  const conditions: string[] = [];
  let result = JSON.stringify(pieces[0]);
  for (const [i, element] of elements.entries()) {
    const piece = pieces[i + 1]!;
    const verb = piece[0];
    const condition = verb === undefined ? undefined : conditionOf(verb, element);
    if (condition === undefined) return undefined;
    conditions.push(condition);
    result += ` + ${element.text}${piece.length > 1 ? ` + ${JSON.stringify(piece.slice(1))}` : ''}`;
  }
  return { conditions, result };
}

/** Undefined for more elements than are joined without counting. */
export function joinText(delimiter: string, elements: readonly Element[]): Inline | undefined {
  const longest = Math.floor((shortUnits - (elements.length - 1) * delimiter.length) / elements.length);
  if (elements.length > fewParts || longest < 1) return undefined;
  return {
    conditions: elements.map((element) => isString(element, longest)),
    result: elements.map(({ text }) => text).join(delimiter === '' ? ' + ' : ` + ${JSON.stringify(delimiter)} + `),
  };
}

const isString = ({ text, kind }: Element, longest: number) =>
  `${kind === 'string' ? '' : `typeof ${text} === "string" && `}${text}.length <= ${longest}`;

function conditionOf(verb: string, element: Element): string | undefined {
  const { text, kind } = element;
  const isInteger = `Number.isSafeInteger(${text})`;
  if (verb === 's') return isString(element, maxLength);
  if (verb === 'd') return isInteger;
  if (verb !== 'v') return undefined;
  return kind === 'string'
    ? isString(element, maxLength)
    : kind === 'number'
      ? isInteger
      : `(typeof ${text} === "string" ? ${text}.length <= ${maxLength} : ${isInteger})`;
}
