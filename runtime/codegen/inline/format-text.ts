/** `sprintf` of a constant format as a concatenation. */
import type { Kind } from '../known/known.js';
import type { Inline } from './builtin-texts.js';

/** Strings up to this length make no result that is too long. */
const maxLength = 2048;

/** Undefined for a format that has more than plain `%s`, `%d` and `%v`, one for each element. */
export function formatText(
  format: string,
  elements: readonly { readonly text: string; readonly kind: Kind | undefined }[],
): Inline | undefined {
  const pieces = format.split('%');
  if (pieces.length !== elements.length + 1 || format.length > maxLength) return undefined;
  const conditions: string[] = [];
  let result = JSON.stringify(pieces[0]);
  for (const [i, { text, kind }] of elements.entries()) {
    const piece = pieces[i + 1]!;
    const verb = piece[0];
    const condition = verb === undefined ? undefined : conditionOf(verb, text, kind);
    if (condition === undefined) return undefined;
    conditions.push(condition);
    result += ` + ${text}${piece.length > 1 ? ` + ${JSON.stringify(piece.slice(1))}` : ''}`;
  }
  return { conditions, result };
}

function conditionOf(verb: string, text: string, kind: Kind | undefined): string | undefined {
  const isString = `${kind === 'string' ? '' : `typeof ${text} === "string" && `}${text}.length <= ${maxLength}`;
  const isInteger = `Number.isSafeInteger(${text})`;
  if (verb === 's') return isString;
  if (verb === 'd') return isInteger;
  if (verb !== 'v') return undefined;
  return kind === 'string'
    ? isString
    : kind === 'number'
      ? isInteger
      : `(typeof ${text} === "string" ? ${text}.length <= ${maxLength} : ${isInteger})`;
}
