/** Conditions as UCAST: the universal condition tree that libraries of many languages read. */

import type { ScalarTerm } from '../../../compiler/index.js';
import { numberFromText, type PlainObject, type Value } from '../../../values/index.js';
import type { Column, FilterCondition } from './condition.js';
import type { NamedTarget } from './mappings.js';

/** A condition as a tree of plain objects. A condition that always holds is the empty object. */
export function ucastOf(condition: FilterCondition, named: NamedTarget): PlainObject {
  const compound = (operator: string, conditions: readonly FilterCondition[]): PlainObject => ({
    type: 'compound',
    operator,
    value: conditions.map((part) => ucastOf(part, named)),
  });
  const field = (operator: string, column: Column, value: Value): PlainObject => ({
    type: 'field',
    operator,
    field: fieldName(column, named),
    value,
  });
  switch (condition.type) {
    case 'constant':
      return condition.holds ? {} : compound('or', []);
    case 'compare': {
      const { operator, column, value } = condition;
      return field(operator, column, value.type === 'column' ? { field: fieldName(value, named) } : scalarValue(value));
    }
    case 'in':
      return field('in', condition.column, condition.values.map(scalarValue));
    case 'match':
      return field(condition.operator, condition.column, condition.text);
    case 'exists':
      return field('ne', condition.column, null);
    case 'not':
      return compound('not', [condition.condition]);
    default:
      return compound(condition.type, condition.conditions);
  }
}

function fieldName(column: Column, named: NamedTarget): string {
  const { table, name } = named.named(column);
  return [...table, ...name].join('.');
}

export function scalarValue(term: ScalarTerm): Value {
  switch (term.type) {
    case 'null':
      return null;
    case 'number':
      return numberFromText(term.text);
    default:
      return term.value;
  }
}
