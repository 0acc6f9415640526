/** What a call has and what its built-in wants, for complaints about operands. */

import type { Type } from '../../runtime/values/type.js';
import type { Term } from '../ast/nodes.js';
import type { BuiltinDeclaration } from '../resolve/builtin-table.js';

export interface ArityDetails {
  readonly have: readonly (Type | null)[];
  readonly want: { readonly args: readonly object[]; readonly variadic?: Type };
  /** For people. */
  lines(): readonly string[];
}

export function arityDetails(builtin: BuiltinDeclaration, operands: readonly Term[]): ArityDetails {
  const have = operands.map(typeOf);
  const names = builtin.args.map(({ name, type }) => (name === '' ? typeText(type) : `${name}: ${typeText(type)}`));
  if (builtin.variadic) names.push(`...${typeText(builtin.variadic)}`);
  const lines = [`have: (${have.map((type) => (type ? typeText(type) : '???')).join(', ')})`, `want: (${names.join(', ')})`];
  const args = builtin.args.map(({ name, type }) => (name === '' ? type : { name, ...type }));
  const details: ArityDetails = {
    have,
    want: { args, ...(builtin.variadic && { variadic: builtin.variadic }) },
    lines: () => lines,
  };
  // Shown, but no part of the JSON.
  return Object.defineProperty(details, 'lines', { enumerable: false });
}

/** The type of a literal; null for what only the type checker knows. */
function typeOf(term: Term): Type | null {
  switch (term.type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return { type: term.type };
    case 'array':
      return { type: 'array', static: term.items.map((item) => typeOf(item) ?? { type: 'any' }) };
    default:
      return null;
  }
}

/** A type as messages have it: `array[string]`, `any<number, string>`, `object<a: number>[string: any]`. */
export function typeText(type: Type): string {
  switch (type.type) {
    case 'any':
      return type.of && type.of.length > 0 ? `any<${type.of.map(typeText).join(', ')}>` : 'any';
    case 'set':
      return `set[${typeText(type.of)}]`;
    case 'array': {
      const fixed = type.static && type.static.length > 0 ? `<${type.static.map(typeText).join(', ')}>` : '';
      return `array${fixed}${type.dynamic ? `[${typeText(type.dynamic)}]` : ''}`;
    }
    case 'object': {
      const fields = type.static?.map(({ key, value }) => `${String(key)}: ${typeText(value)}`) ?? [];
      const fixed = fields.length > 0 ? `<${fields.join(', ')}>` : '';
      return `object${fixed}${type.dynamic ? `[${typeText(type.dynamic.key)}: ${typeText(type.dynamic.value)}]` : ''}`;
    }
    case 'function': {
      const args = (type.args ?? []).map(typeText);
      if (type.variadic) args.push(`...${typeText(type.variadic)}`);
      return `(${args.join(', ')}) => ${type.result ? typeText(type.result) : '???'}`;
    }
    default:
      return type.type;
  }
}
