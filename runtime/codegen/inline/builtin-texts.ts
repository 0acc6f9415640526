/** Built-ins whose common case is written into the text of their caller. */

import type { Value } from '../../../values/index.js';
import type { Index, LoweredOperand } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import { inheritedNames } from './inherited-names.js';
import type { Inline } from './inline-call.js';
import { type ObjectPathKey, objectPathText, plainObjectTests } from './object-paths.js';

type InlineWriter = (args: readonly LoweredOperand[], w: CodeWriter) => Inline | undefined;

/** Strings up to this length cost no more than the call itself. */
const short = 64;

/** Strings up to this length are searched and cut in one step. */
const oneStep = 1024;

/** Longer paths are left to the built-in. */
const maxKeys = 8;

/** Conditions under which an operand is a string of at most `length` characters. */
function isString(operand: LoweredOperand, length: number, w: CodeWriter): readonly string[] {
  const text = w.operand(operand);
  const constant = operand < 0 ? w.constantValue(-1 - operand) : undefined;
  if (typeof constant === 'string') return constant.length <= length ? [] : ['false'];
  const isShort = `${text}.length <= ${length}`;
  return w.kind(operand) === 'string' ? [isShort] : [`typeof ${text} === "string"`, isShort];
}

function onStrings(length: number, result: (...operands: readonly string[]) => string): InlineWriter {
  return (args, w) => ({
    conditions: args.flatMap((arg) => isString(arg, length, w)),
    result: result(...args.map((arg) => w.operand(arg))),
  });
}

function count([operand]: readonly LoweredOperand[], w: CodeWriter): Inline | undefined {
  const text = w.operand(operand!);
  const kind = w.kind(operand!);
  if (kind === 'array') return { conditions: [], result: `${text}.length` };
  if (kind === 'set') return { conditions: [], result: `${text}.size` };
  return kind === 'value' ? { conditions: [`Array.isArray(${text})`], result: `${text}.length` } : undefined;
}

/** An empty delimiter splits into characters. */
function split([text, delimiter]: readonly LoweredOperand[], w: CodeWriter): Inline | undefined {
  if (delimiter! >= 0 || w.constantValue(-1 - delimiter!) === '') return undefined;
  return onStrings(oneStep, (a, b) => `${w.use('partsOf')}(${a}, ${b})`)([text!, delimiter!], w);
}

/** A constant key of a plain object, or a constant path. */
function get([object, key, otherwise]: readonly LoweredOperand[], w: CodeWriter): Inline | undefined {
  const name = key! < 0 ? w.constantValue(-1 - key!) : undefined;
  if (isNames(name)) return objectPathText(object!, name.map(keyOfName), otherwise!, w);
  if (typeof name !== 'string' || inheritedNames.has(name)) return undefined;
  const source = w.operand(object!);
  const result = `(t = ${source}[${w.operand(key!)}]) === undefined ? ${w.operand(otherwise!)} : t`;
  return { conditions: plainObjectTests(source, w), result };
}

function isNames(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length <= maxKeys && value.every((key) => typeof key === 'string');
}

const keyOfName = (name: string): ObjectPathKey => ({ text: JSON.stringify(name), name });

/** A test of a type that is written as a test of the operand. */
function typeTest(test: (text: string, w: CodeWriter) => string): InlineWriter {
  return ([operand], w) => ({ conditions: [], result: test(w.operand(operand!), w) });
}

/** The value may be of a class for numbers, if it is no double. */
function isNumber([operand]: readonly LoweredOperand[], w: CodeWriter): Inline {
  return { conditions: [`typeof ${w.operand(operand!)} === "number"`], result: 'true' };
}

const inlines: ReadonlyMap<string, InlineWriter> = new Map<string, InlineWriter>([
  ['startswith', onStrings(short, (a, b) => `${a}.startsWith(${b})`)],
  ['endswith', onStrings(short, (a, b) => `${a}.endsWith(${b})`)],
  ['contains', onStrings(oneStep, (a, b) => `${a}.includes(${b})`)],
  ['trim_prefix', onStrings(short, (a, b) => `(${a}.startsWith(${b}) ? ${a}.slice(${b}.length) : ${a})`)],
  [
    'trim_suffix',
    onStrings(short, (a, b) => `(${a}.endsWith(${b}) ? ${a}.slice(0, ${a}.length - ${b}.length) : ${a})`),
  ],
  ['split', split],
  ['count', count],
  ['object.get', get],
  ['is_string', typeTest((text) => `typeof ${text} === "string"`)],
  ['is_boolean', typeTest((text) => `typeof ${text} === "boolean"`)],
  ['is_null', typeTest((text) => `${text} === null`)],
  ['is_array', typeTest((text) => `Array.isArray(${text})`)],
  ['is_set', typeTest((text, w) => `${text} instanceof ${w.use('RegoSet')}`)],
  ['is_object', typeTest((text, w) => `${w.use('isObject')}(${text})`)],
  ['is_number', isNumber],
]);

/** A call whose result is `t`, and what follows where that is undefined. */
export function builtinText(builtin: Index, args: readonly LoweredOperand[], failure: string, w: CodeWriter): string {
  const inline = w.hasConstants ? inlines.get(w.builtinName(builtin))?.(args, w) : undefined;
  const call = () =>
    callText(
      builtin,
      args.map((arg) => w.operand(arg)),
      w,
    );
  return inlineText(inline, call, failure);
}

/** The text of a call whose result may be computed in place. */
export function inlineText(inline: Inline | undefined, call: () => string, failure: string): string {
  if (inline === undefined) return `t = ${call()}; ${failure}`;
  if (inline.conditions.length === 0) return `t = ${inline.result};`;
  return `if (${inline.conditions.join(' && ')}) t = ${inline.result};\nelse { t = ${call()}; ${failure} }`;
}

/** @param args texts of the operands */
export function callText(builtin: Index, args: readonly string[], w: CodeWriter): string {
  w.builtins.add(builtin);
  return `${w.callee(`c${builtin}`)}(${[...args, 'x.evaluation'].join(', ')})`;
}
