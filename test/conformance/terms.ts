/** The compiler's parser for cases: ground terms as values, and `rego.parse_module`. */

import { moduleToJson } from '../../compiler/ast/ast-json.js';
import type { Term } from '../../compiler/ast/nodes.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseTerm } from '../../compiler/syntax/query.js';
import { BuiltinError } from '../../values/builtins/builtin-errors.js';
import { makeObject } from '../../values/compare.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import type { ObjectValue, Value } from '../../values/value.js';

/** The value of a text such as `{"a": {1, 2}}`. Throws if the text is not a ground term. */
export function valueOfText(text: string): Value {
  return valueOfTerm(parseTerm(text));
}

/** The value of a ground term: scalars, and collections of ground terms. */
function valueOfTerm(term: Term): Value {
  switch (term.type) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return term.value;
    case 'number':
      return numberFromText(term.text);
    case 'array':
      return term.items.map(valueOfTerm);
    case 'set':
      return new RegoSet(term.items.map(valueOfTerm));
    case 'object':
      return makeObject(term.entries.map(({ key, value }) => [valueOfTerm(key), valueOfTerm(value)] as const));
    default:
      throw new Error(`a ${term.type} is no value`);
  }
}

/** The implementation of `rego.parse_module` for an engine. */
export function parseModuleToValue(filename: string, text: string): ObjectValue {
  try {
    return moduleToJson(parseModule(filename, text)) as ObjectValue;
  } catch (error) {
    throw new BuiltinError(error instanceof Error ? error.message : String(error));
  }
}
