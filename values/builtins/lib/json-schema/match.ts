/**
 * Whether a document matches a compiled schema, with the mismatches in the reference's order, kinds
 * and words.
 */

import { objectGet, sortStrings } from '../../../compare.js';
import { decimalOf } from '../../../numbers/number.js';
import { isNumber } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { canonicalJson } from './json-documents.js';
import { membersByName } from './keywords.js';
import { checkNumber, isWhole } from './match-numbers.js';
import { checkString, checkValue } from './match-values.js';
import { root, type SchemaMismatch, SchemaResult } from './result.js';
import { isJsonObject, type JsonObject, type SchemaJson, type SchemaValue } from './schema.js';

/**
 * Every mismatch of a document. Throws a RangeError where schema and document nest too deeply for
 * the stack.
 */
export function matchDocument(
  schema: SchemaValue,
  document: SchemaJson,
  context: BuiltinContext,
): readonly SchemaMismatch[] {
  return new Match(context).against(schema, document, root).mismatches;
}

/** The most references in a row. */
const maxReferences = 1000;

/** Units for holding a value against a schema. */
const unitsPerCheck = 30;

class Match {
  readonly #context: BuiltinContext;

  constructor(context: BuiltinContext) {
    this.#context = context;
  }

  against(schema: SchemaValue, value: SchemaJson, path: string): SchemaResult {
    const result = new SchemaResult();
    this.#check(schema, value, path, result);
    return result;
  }

  #check(start: SchemaValue, value: SchemaJson, path: string, result: SchemaResult): void {
    let schema = start;
    for (let steps = 0; schema.ref !== undefined; schema = schema.ref) {
      if (++steps > maxReferences) throw new BuiltinError('references lead in a circle');
    }
    this.#context.tick(unitsPerCheck + schema.properties.size * 3);
    if (schema.pass !== undefined) {
      if (!schema.pass) result.add('false', path, 'False always fails validation');
      return;
    }
    const given = jsonType(value);
    const { types } = schema;
    if (types.length > 0 && !types.includes(given) && !(given === 'integer' && types.includes('number'))) {
      const expected = types.length > 1 ? `[${types.join(',')}]` : types.join();
      result.add('invalid_type', path, `Invalid type. Expected: ${expected}, given: ${given}`);
      return;
    }
    this.#checkCombinations(schema, value, path, result);
    if (Array.isArray(value)) {
      this.#checkArray(schema, value, path, result);
      checkValue(schema, value, path, result, this.#context);
    } else if (isJsonObject(value)) {
      this.#checkObject(schema, value, path, result);
      checkValue(schema, value, path, result, this.#context);
      for (const [name, property] of schema.properties) {
        const member = objectGet(value, name);
        if (member !== undefined) this.#check(property, member, `${path}.${name}`, result);
      }
    } else {
      if (isNumber(value)) checkNumber(schema, value, path, result);
      checkValue(schema, value, path, result, this.#context);
      if (typeof value === 'string') checkString(schema, value, path, result, this.#context);
    }
    result.score++;
  }

  #checkCombinations(schema: SchemaValue, value: SchemaJson, path: string, result: SchemaResult): void {
    if (schema.anyOf.length > 0) this.#checkAnyOf(schema.anyOf, value, path, result);
    if (schema.oneOf.length > 0) this.#checkOneOf(schema.oneOf, value, path, result);
    if (schema.allOf.length > 0) {
      const before = result.mismatches.length;
      for (const member of schema.allOf) result.merge(this.against(member, value, path));
      if (result.mismatches.length > before) result.add('number_all_of', path, 'Must validate all the schemas (allOf)');
    }
    if (schema.not !== undefined && this.against(schema.not, value, path).valid) {
      result.add('number_not', path, 'Must not validate the schema (not)');
    }
    if (schema.dependencies.size > 0 && isJsonObject(value)) this.#checkDependencies(schema, value, path, result);
    if (schema.if !== undefined) {
      const holds = this.against(schema.if, value, path).valid;
      const consequence = holds ? schema.then : schema.else;
      const outcome = consequence === undefined ? undefined : this.against(consequence, value, path);
      if (outcome?.valid === false) {
        if (holds) result.add('condition_then', path, 'Must validate "then" as "if" was valid');
        else result.add('condition_else', path, 'Must validate "else" as "if" was not valid');
        result.merge(outcome);
      }
    }
    result.score++;
  }

  #checkAnyOf(members: readonly SchemaValue[], value: SchemaJson, path: string, result: SchemaResult): void {
    let nearest: SchemaResult | undefined;
    for (const member of members) {
      const outcome = this.against(member, value, path);
      if (outcome.valid) return;
      if (nearest === undefined || outcome.score > nearest.score) nearest = outcome;
    }
    result.add('number_any_of', path, 'Must validate at least one schema (anyOf)');
    if (nearest !== undefined) result.merge(nearest);
  }

  #checkOneOf(members: readonly SchemaValue[], value: SchemaJson, path: string, result: SchemaResult): void {
    let fitting = 0;
    let nearest: SchemaResult | undefined;
    for (const member of members) {
      const outcome = this.against(member, value, path);
      if (outcome.valid) fitting++;
      else if (fitting === 0 && (nearest === undefined || outcome.score > nearest.score)) nearest = outcome;
    }
    if (fitting === 1) return;
    result.add('number_one_of', path, 'Must validate one and only one schema (oneOf)');
    if (fitting === 0 && nearest !== undefined) result.merge(nearest);
  }

  #checkDependencies(schema: SchemaValue, value: JsonObject, path: string, result: SchemaResult): void {
    for (const key of sortStrings(Object.keys(value))) {
      const dependency = schema.dependencies.get(key);
      if (dependency === undefined) continue;
      if (!Array.isArray(dependency)) this.#check(dependency as SchemaValue, value, path, result);
      else {
        for (const other of dependency) {
          if (!Object.hasOwn(value, other)) result.add('missing_dependency', path, `Has a dependency on ${other}`);
        }
      }
    }
  }

  #checkArray(schema: SchemaValue, value: readonly SchemaJson[], path: string, result: SchemaResult): void {
    const { items, additionalItems } = schema;
    if (Array.isArray(items)) {
      const schemas = items as readonly SchemaValue[];
      const others = typeof additionalItems === 'object' && schemas.length > 0 ? additionalItems : undefined;
      for (const [i, item] of value.entries()) {
        const schema = schemas[i] ?? others;
        if (schema === undefined) break;
        result.merge(this.against(schema, item, `${path}.${i}`));
      }
      if (additionalItems === false && schemas.length > 0 && value.length > schemas.length)
        result.add('array_no_additional_items', path, 'No additional items allowed on array');
    } else if (items !== undefined) {
      for (const [i, item] of value.entries()) result.merge(this.against(items as SchemaValue, item, `${path}.${i}`));
    }
    const { minItems, maxItems } = schema;
    if (minItems !== undefined && value.length < minItems)
      result.add('array_min_items', path, `Array must have at least ${minItems} items`);
    if (maxItems !== undefined && value.length > maxItems)
      result.add('array_max_items', path, `Array must have at most ${maxItems} items`);
    if (schema.uniqueItems === true) {
      const seen = new Map<string, number>();
      value.forEach((member, j) => {
        const text = canonicalJson(member);
        const i = seen.get(text);
        if (i !== undefined) result.add('unique', path, `array items[${i},${j}] must be unique`);
        seen.set(text, j);
      });
    }
    if (schema.contains !== undefined) this.#checkContains(schema.contains, value, path, result);
    result.score++;
  }

  #checkContains(schema: SchemaValue, value: readonly SchemaJson[], path: string, result: SchemaResult): void {
    let nearest: SchemaResult | undefined;
    for (const [i, item] of value.entries()) {
      const outcome = this.against(schema, item, `${path}.${i}`);
      if (outcome.valid) return;
      if (nearest === undefined || outcome.score > nearest.score) nearest = outcome;
    }
    result.add('contains', path, 'At least one of the items must match');
    if (nearest !== undefined) result.merge(nearest);
  }

  #checkObject(schema: SchemaValue, value: JsonObject, path: string, result: SchemaResult): void {
    const members = membersByName(value);
    const keys = members.map(([key]) => key);
    this.#context.tick((keys.length + schema.required.length) * unitsPerCheck);
    const { minProperties, maxProperties, additionalProperties, propertyNames } = schema;
    if (minProperties !== undefined && keys.length < minProperties) {
      result.add('array_min_properties', path, `Must have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      result.add('array_max_properties', path, `Must have at most ${maxProperties} properties`);
    }
    for (const name of schema.required) {
      if (Object.hasOwn(value, name)) result.score++;
      else result.add('required', path, `${name} is required`);
    }
    for (const [key, member] of members) {
      let described = false;
      for (const { pattern, schema: wanted } of schema.patternProperties) {
        if (!pattern.regex.test(key, this.#context)) continue;
        described = true;
        result.merge(this.against(wanted, member, `${path}.${key}`));
      }
      if (described) result.score++;
      else if (schema.properties.has(key)) continue;
      else if (additionalProperties === false) {
        result.add('additional_property_not_allowed', path, `Additional property ${key} is not allowed`);
      } else if (typeof additionalProperties === 'object') {
        result.merge(this.against(additionalProperties, member, `${path}.${key}`));
      }
    }
    if (propertyNames !== undefined) {
      for (const key of keys) {
        const outcome = this.against(propertyNames, key, path);
        if (outcome.valid) continue;
        result.add('invalid_property_name', path, `Property name of "${key}" does not match`);
        result.merge(outcome);
      }
    }
    result.score++;
  }
}

function jsonType(value: SchemaJson): string {
  if (value === null) return 'null';
  if (isNumber(value)) return isWhole(decimalOf(value)) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
