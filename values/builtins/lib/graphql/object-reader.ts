/** Reads the fields of an object that stands for a node: absent ones have an empty value. */
import { objectGet } from '../../../compare.js';
import { safeIntegerOf } from '../../../numbers/number.js';
import { isArray, isNumber, isObject, type ObjectValue, typeName, type Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';

const maxDepth = 1000;

/** Throws a BuiltinError where a field is of the wrong type. */
export class ObjectReader {
  readonly #object: ObjectValue;
  readonly #name: string;
  readonly #depth: number;

  constructor(object: ObjectValue, name: string, depth: number) {
    if (depth > maxDepth) throw new BuiltinError(`nested deeper than ${maxDepth} levels`);
    this.#object = object;
    this.#name = name;
    this.#depth = depth;
  }

  #wrong(field: string, value: Value, wanted: string): BuiltinError {
    return new BuiltinError(
      `json: cannot unmarshal ${typeName(value)} into Go struct field ${this.#name}.${field} of type ${wanted}`,
    );
  }

  #get(field: string): Value | undefined {
    const value = objectGet(this.#object, field);
    return value === null ? undefined : value;
  }

  string(field: string): string {
    const value = this.#get(field) ?? '';
    if (typeof value !== 'string') throw this.#wrong(field, value, 'string');
    return value;
  }

  boolean(field: string): boolean {
    const value = this.#get(field) ?? false;
    if (typeof value !== 'boolean') throw this.#wrong(field, value, 'bool');
    return value;
  }

  integer(field: string): number {
    const value = this.#get(field) ?? 0;
    const integer = isNumber(value) ? safeIntegerOf(value) : undefined;
    if (integer === undefined) throw this.#wrong(field, value, 'int');
    return integer;
  }

  #array(field: string): readonly Value[] {
    const value = this.#get(field) ?? [];
    if (!isArray(value)) throw this.#wrong(field, value, 'slice');
    return value;
  }

  strings(field: string): string[] {
    return this.#array(field).map((value) => {
      if (typeof value !== 'string') throw this.#wrong(field, value, 'string');
      return value;
    });
  }

  list<T>(field: string, decode: (node: ObjectReader) => T): T[] {
    return this.#array(field).map((value) => decode(this.#child(field, value)));
  }

  optional<T>(field: string, decode: (node: ObjectReader) => T): T | null {
    const value = this.#get(field);
    return value === undefined ? null : decode(this.#child(field, value));
  }

  #child(field: string, value: Value): ObjectReader {
    if (!isObject(value)) throw this.#wrong(field, value, 'struct');
    return new ObjectReader(value, `${this.#name}.${field}`, this.#depth + 1);
  }
}
