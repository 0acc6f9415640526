/** Types as messages show them, and as JSON. */

import { isArray, isNumber, numberText, type Value } from '../../../values/index.js';
import type { AstJson } from '../../ast/ast-json.js';
import { type FunctionType, isEmpty, isLarge, type ObjectType, type Type } from './type.js';

/**
 * `array<string>[number]`, `object<a: string>[string: any]`, `any<number, string>`; `???` for
 * an unknown type.
 */
export function typeText(type: Type | undefined): string {
  return textOf(type, new Set());
}

/**
 * `open` are the enclosing named objects. Inside itself such an object is not written again, and
 * a type that is too large is not written at all.
 */
function textOf(type: Type | undefined, open: ReadonlySet<ObjectType>): string {
  const list = (types: readonly (Type | undefined)[]): string => types.map((part) => textOf(part, open)).join(', ');
  if (type === undefined) return '???';
  if (isLarge(type)) return type.kind;
  switch (type.kind) {
    case 'array':
      return `array${type.fixed.length > 0 ? `<${list(type.fixed)}>` : ''}${type.rest ? `[${textOf(type.rest, open)}]` : ''}`;
    case 'object': {
      if (open.has(type)) return 'object';
      const inside = type.named ? new Set([...open, type]) : open;
      const fixed = type.fixed.map((property) => `${keyText(property.key)}: ${textOf(property.type, inside)}`);
      const rest = type.rest ? `[${textOf(type.rest.key, inside)}: ${textOf(type.rest.value, inside)}]` : '';
      return `object${fixed.length > 0 ? `<${fixed.join(', ')}>` : ''}${rest}`;
    }
    case 'set':
      return isEmpty(type) ? 'set' : `set[${textOf(type.of, open)}]`;
    case 'any':
      return type.of.length > 0 ? `any<${list(type.of)}>` : 'any';
    case 'function':
      return `${operands(type.args, type.variadic, [], open)} => ${textOf(type.result, open)}`;
    default:
      return type.kind;
  }
}

function keyText(key: Value): string {
  if (key === null) return '<nil>';
  if (typeof key === 'string' || typeof key === 'boolean') return String(key);
  if (isNumber(key)) return numberText(key);
  if (isArray(key)) return `[${key.map(keyText).join(' ')}]`;
  return `map[${Object.entries(key as { readonly [name: string]: Value })
    .map(([name, item]) => `${name}:${keyText(item)}`)
    .join(' ')}]`;
}

function operands(
  types: readonly (Type | undefined)[],
  variadic: Type | undefined,
  names: readonly string[],
  open: ReadonlySet<ObjectType>,
): string {
  const texts = types.map((type, i) => (names[i] ? `${names[i]}: ${textOf(type, open)}` : textOf(type, open)));
  if (variadic) texts.push(`${textOf(variadic, open)}...`);
  return `(${texts.join(', ')})`;
}

/** `(string, number)`: the operands that a call has. */
export function operandsText(types: readonly (Type | undefined)[]): string {
  return operands(types, undefined, [], new Set());
}

/** `(search: string, base: string, result: boolean)`: a function's parameters, then its result. */
export function signatureText({ args, result, variadic, names }: FunctionType, withResult: boolean): string {
  return operands(withResult && result ? [...args, result] : args, variadic, names, new Set());
}

/** The shape that capabilities files have. */
export function typeToJson(type: Type | undefined): AstJson {
  return jsonOf(type, new Set());
}

function jsonOf(type: Type | undefined, open: ReadonlySet<ObjectType>): AstJson {
  if (type === undefined) return null;
  if (isLarge(type)) return { type: type.kind };
  switch (type.kind) {
    case 'array':
      return {
        ...(type.rest && { dynamic: jsonOf(type.rest, open) }),
        ...(type.fixed.length > 0 && { static: type.fixed.map((part) => jsonOf(part, open)) }),
        type: 'array',
      };
    case 'object': {
      if (open.has(type)) return { type: 'object' };
      const inside = type.named ? new Set([...open, type]) : open;
      return {
        ...(type.rest && { dynamic: { key: jsonOf(type.rest.key, inside), value: jsonOf(type.rest.value, inside) } }),
        ...(type.fixed.length > 0 && {
          static: type.fixed.map((property) => ({
            key: property.key as AstJson,
            value: jsonOf(property.type, inside),
          })),
        }),
        type: 'object',
      };
    }
    case 'set':
      return { ...(type.of && { of: jsonOf(type.of, open) }), type: 'set' };
    case 'any':
      return { ...(type.of.length > 0 && { of: type.of.map((part) => jsonOf(part, open)) }), type: 'any' };
    case 'function':
      return {
        ...(type.args.length > 0 && { args: type.args.map((arg) => jsonOf(arg, open)) }),
        ...(type.result && { result: jsonOf(type.result, open) }),
        type: 'function',
        ...(type.variadic && { variadic: jsonOf(type.variadic, open) }),
      };
    default:
      return { type: type.kind };
  }
}

/** A function's parameters, as the details of a complaint have them. */
export function signatureToJson({ args, result, variadic, names }: FunctionType, withResult: boolean): AstJson {
  const types = withResult && result ? [...args, result] : args;
  return {
    ...(types.length > 0 && {
      args: types.map((type, i) => ({
        ...(names[i] ? { name: names[i] } : {}),
        ...(typeToJson(type) as { readonly [key: string]: AstJson }),
      })),
    }),
    ...(variadic && { variadic: typeToJson(variadic) }),
  };
}
