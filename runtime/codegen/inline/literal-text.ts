/** The JavaScript of statements around an array literal, see `array-literals.ts`. */
import { fewParts, shortUnits, type Value } from '../../../values/index.js';
import type { LoweredOf } from '../../lowering/lowered.js';
import type { Kind } from '../known/known.js';
import type { CodeWriter } from '../writer.js';
import type { ArrayLiteral } from './array-literals.js';
import { callText, inlineText } from './builtin-texts.js';
import type { Inline } from './inline-call.js';
import { objectPathText } from './object-paths.js';

/** Writes an append to an array literal; false for others. */
export function writeElement(stmt: LoweredOf<'arrayAppend'>, w: CodeWriter): boolean {
  const literal = w.literals.of(stmt);
  if (literal === undefined) return false;
  const { elements, register } = literal;
  w.cutIf(w.undefinedOf(stmt.value));
  const kind = w.kind(stmt.value);
  if (stmt.value < 0)
    elements.push({ text: w.operand(stmt.value), kind, name: textOf(w.constantValue(-1 - stmt.value)) });
  else {
    const name = `a${w.number(register)}_${elements.length}`;
    w.declare(name);
    w.line(`${name} = ${w.operand(stmt.value)};`);
    elements.push({ text: name, kind });
  }
  const isLast = elements.length === literal.length;
  if (isLast && (literal.onlyCall === undefined || formatted(literal.onlyCall, literal, w) === undefined))
    w.line(`${w.register(register)} = ${arrayText(literal)};`);
  return true;
}

/** The call of a built-in that alone reads an array; undefined where the array is built. */
export function literalCallText(stmt: LoweredOf<'builtin'>, failure: string, w: CodeWriter): string | undefined {
  const literal = w.literals.readBy(stmt);
  if (literal === undefined) return undefined;
  const inline = formatted(stmt, literal, w);
  if (inline === undefined) return undefined;
  return inlineText(inline, () => callText(stmt.builtin, argumentTexts(stmt, literal, w), w), failure);
}

const textOf = (value: Value) => (typeof value === 'string' ? value : undefined);

function argumentTexts({ args }: LoweredOf<'builtin'>, literal: ArrayLiteral, w: CodeWriter): readonly string[] {
  return args.map((arg) => (arg === literal.register ? arrayText(literal) : w.operand(arg)));
}

function arrayText({ elements }: ArrayLiteral): string {
  return `[${elements.map(({ text }) => text).join(', ')}]`;
}

/** The text of `sprintf`, `concat` or `object.get`. */
function formatted(
  stmt: LoweredOf<'builtin'>,
  { elements, register }: ArrayLiteral,
  w: CodeWriter,
): Inline | undefined {
  const [first, list, otherwise] = stmt.args;
  if (!w.hasConstants || list !== register) return undefined;
  const name = w.builtinName(stmt.builtin);
  if (name === 'object.get') return objectPathText(first!, elements, otherwise!, w);
  const text = first! < 0 ? w.constantValue(-1 - first!) : undefined;
  if (typeof text !== 'string') return undefined;
  return name === 'sprintf' ? inlineFormat(text, elements) : name === 'concat' ? joinText(text, elements) : undefined;
}

/** Strings up to this length make no result that is too long. */
const maxLength = 2048;

interface Element {
  readonly text: string;
  readonly kind: Kind | undefined;
}

/** Undefined for a format that has more than plain `%s`, `%d` and `%v`, one for each element. */
function inlineFormat(format: string, elements: readonly Element[]): Inline | undefined {
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
function joinText(delimiter: string, elements: readonly Element[]): Inline | undefined {
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
