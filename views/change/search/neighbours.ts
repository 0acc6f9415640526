/** Values near a constant of a policy: those on both sides of a comparison. */
import { isArray, isPlainObject, isSet, type Value } from '../../../values/index.js';
import { absent, type Wished } from './input-places.js';

/** A constant, then values that differ from it in little. */
export function nearValues(value: Value): readonly Value[] {
  if (typeof value === 'number') return [value, value + 1, value - 1, value + 0.5, -value];
  if (typeof value === 'string')
    return [value, `${value}a`, value.slice(0, -1), `a${value}`, otherCase(value), ` ${value} `];
  if (typeof value === 'boolean') return [value, !value];
  if (isArray(value)) return [value, [...value, 'a'], value.slice(0, -1), [...value, ...value.slice(0, 1)]];
  if (isSet(value)) return [[...value]];
  if (isPlainObject(value)) return [value, Object.fromEntries(Object.entries(value).slice(1))];
  return [value];
}

function otherCase(text: string): string {
  const upper = text.toUpperCase();
  return upper === text ? text.toLowerCase() : upper;
}

/** A value of each type, and none: those that a policy may not expect. */
export const oddValues: readonly Wished[] = [absent, null, false, true, 0, '', 'a', [], {}];

/** A value for which a comparison with a constant holds, or does not. */
export function valueFor(operator: string, constant: Value, isFirst: boolean, holds: boolean): Wished {
  const wanted = holds ? operator : (opposites[operator] ?? 'neq');
  const oriented = isFirst ? wanted : (mirrored[wanted] ?? wanted);
  if (typeof constant === 'number') {
    if (oriented === 'gt' || oriented === 'neq') return constant + 1;
    if (oriented === 'lt') return constant - 1;
    return constant;
  }
  if (typeof constant === 'string') {
    if (oriented === 'neq' || oriented === 'gt') return `${constant}a`;
    if (oriented === 'lt') return constant.slice(0, -1);
    if (oriented === 'startswith') return `${constant}a`;
    if (oriented === 'endswith') return `a${constant}`;
    if (oriented === 'contains') return `a${constant}a`;
    return constant;
  }
  if (oriented === 'neq') return typeof constant === 'boolean' ? !constant : 'a';
  return isSet(constant) ? [...constant] : constant;
}

const opposites: Readonly<Record<string, string>> = {
  eq: 'neq',
  equal: 'neq',
  neq: 'eq',
  lt: 'gte',
  gte: 'lt',
  gt: 'lte',
  lte: 'gt',
};

const mirrored: Readonly<Record<string, string>> = { lt: 'gt', gt: 'lt', lte: 'gte', gte: 'lte' };
