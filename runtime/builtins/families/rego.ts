/** rego.* and opa.runtime: what a policy may ask about policies and about the engine. */
import { objectGet } from '../../values/compare.js';
import { any, array, loosely, object, string } from '../../values/type.js';
import { isArray, isObject, type PlainObject, type Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { constant, linear } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { missingHost } from '../host.js';
import { stringOperand } from '../string-operands.js';

const own = { checksOperands: true } as const;

function parseModule(filename: Value, text: Value, context: BuiltinContext): Value {
  const name = stringOperand(filename, 1);
  const source = stringOperand(text, 1);
  if (context.parseModule === undefined) throw missingHost('a parser of modules');
  return context.parseModule(name, source);
}

/** The compiler puts the metadata in place of these calls; only a query outside of any rule gets here. */
function onlyInRules(name: string): () => never {
  return () => {
    throw new BuiltinError(`the ${name} function must only be called within the scope of a rule`);
  };
}

const shown = new WeakMap<object, Value>();

/** The engine's document, its configuration without secrets. Remembered, since one document serves all evaluations. */
function runtime(context: BuiltinContext): Value {
  const document = context.runtime;
  if (!isObject(document)) return {};
  let clean = shown.get(document);
  if (clean === undefined) shown.set(document, (clean = withoutSecrets(document as PlainObject)));
  return clean;
}

function withoutSecrets(document: PlainObject): Value {
  const config = objectGet(document, 'config');
  if (config === undefined || !isObject(config)) return document;
  const clean: { [key: string]: Value } = { ...(config as PlainObject) };
  if (clean.services !== undefined && clean.services !== null)
    clean.services = withoutKeys(clean.services, 'service', ['credentials'], true);
  if (clean.keys !== undefined && clean.keys !== null) clean.keys = withoutKeys(clean.keys, 'keys', ['key', 'private_key'], false);
  return { ...document, config: clean };
}

function withoutKeys(part: Value, name: string, secrets: readonly string[], arrays: boolean): Value {
  const clean = (value: Value): Value => {
    if (!isObject(value)) throw new BuiltinError('type assertion error');
    return Object.fromEntries(Object.entries(value as PlainObject).filter(([key]) => !secrets.includes(key)));
  };
  if (arrays && isArray(part)) return part.map(clean);
  if (!isObject(part)) throw new BuiltinError(`illegal ${name} config type`);
  return Object.fromEntries(Object.entries(part as PlainObject).map(([key, value]) => [key, clean(value)]));
}

// biome-ignore format: a table
export const rego = [
  builtin('rego.parse_module',   [arg('filename', string), arg('rego', string)], loosely(object(string, any)), parseModule, { ...own, cost: linear(100) }),
  builtin('rego.metadata.chain', [], array(any), onlyInRules('rego.metadata.chain'), { cost: constant }),
  builtin('rego.metadata.rule',  [], any, onlyInRules('rego.metadata.rule'), { cost: constant }),
  builtin('opa.runtime',         [], loosely(object(string, any)), runtime, { nondeterministic: true, cost: constant }),
];
