/** The JavaScript of statements around an array literal, see `array-literals.ts`. */

import type { Value } from '../../../values/index.js';
import type { LoweredOf } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import type { ArrayLiteral } from './array-literals.js';
import { callText, inlineText } from './builtin-texts.js';
import { inlineFormat, joinText } from './format-text.js';
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
    const name = `a${register}_${elements.length}`;
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
