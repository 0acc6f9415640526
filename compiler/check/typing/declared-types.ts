/** The types of built-ins, from their declarations. */

import { type Type as Declared, resultName } from '../../../values/index.js';
import type { BuiltinDeclaration } from '../../resolve/builtin-table.js';
import { sortProperties } from './compare-types.js';
import type { FunctionType, Type } from './type.js';
import {
  anything,
  arrayType,
  booleanType,
  emptyProperties,
  functionType,
  numberType,
  objectType,
  setType,
  stringType,
  typeOfNull,
  unionType,
} from './type.js';
import { unionAll } from './union.js';

const known = new WeakMap<BuiltinDeclaration, FunctionType>();

/** The function that a declaration declares. */
export function typeOfBuiltin(builtin: BuiltinDeclaration): FunctionType {
  let type = known.get(builtin);
  if (!type) {
    const args = builtin.args.map((operand) => typeOfDeclared(operand.type));
    const names = [...builtin.args.map(({ name }) => name), resultName(builtin.name) ?? ''];
    const result = builtin.result && typeOfDeclared(builtin.result);
    type = functionType(args, result, builtin.variadic && typeOfDeclared(builtin.variadic), names);
    known.set(builtin, type);
  }
  return type;
}

function typeOfDeclared(type: Declared): Type {
  switch (type.type) {
    case 'null':
      return typeOfNull;
    case 'boolean':
      return booleanType;
    case 'number':
      return numberType;
    case 'string':
      return stringType;
    case 'any': {
      if (type.of === undefined || type.of.length === 0) return anything;
      const all = unionAll(type.of.map(typeOfDeclared))!;
      return all.kind === 'any' ? all : unionType([all]);
    }
    case 'array':
      // Without either nothing is known of the elements; a literal alone is known to be empty.
      if (type.static === undefined && type.dynamic === undefined) return arrayType([], anything);
      return arrayType((type.static ?? []).map(typeOfDeclared), type.dynamic && typeOfDeclared(type.dynamic));
    case 'set':
      return setType(typeOfDeclared(type.of));
    case 'object': {
      if (type.static === undefined && type.dynamic === undefined) return objectType([], emptyProperties);
      const fixed = (type.static ?? []).map(({ key, value }) => ({ key, type: typeOfDeclared(value) }));
      const rest = type.dynamic && { key: typeOfDeclared(type.dynamic.key), value: typeOfDeclared(type.dynamic.value) };
      return objectType(sortProperties(fixed), rest);
    }
    case 'function':
      return functionType((type.args ?? []).map(typeOfDeclared), type.result && typeOfDeclared(type.result));
  }
}
