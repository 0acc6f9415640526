/** rego.* and opa.runtime: built-ins about policies and the engine. */
import { any, array, object, string } from '../../type.js';
import type { ObjectValue } from '../../value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { BuiltinError } from '../builtin-errors.js';
import { constant, linear } from '../cost.js';
import { missingHost } from '../host.js';
import { runtime } from '../lib/rego/runtime.js';
import { stringAsFirst } from '../value-operands.js';

function parseModule(filename: string, text: string, context: BuiltinContext): ObjectValue {
  if (context.parseModule === undefined) throw missingHost('a parser of modules');
  return context.parseModule(filename, text);
}

/**
 * The compiler puts the metadata in place of these calls; only a query outside of any rule gets
 * here.
 */
function onlyInRules(name: string): () => never {
  return () => {
    throw new BuiltinError(`the ${name} function must only be called within the scope of a rule`);
  };
}

// biome-ignore format: a table
export const rego = [
  builtin('rego.parse_module',   [arg('filename', string), arg('rego', string, stringAsFirst)], object(string, any), parseModule, { cost: linear(100) }),
  builtin('rego.metadata.chain', [], array(any), onlyInRules('rego.metadata.chain'), { cost: constant }),
  builtin('rego.metadata.rule',  [], any, onlyInRules('rego.metadata.rule'), { cost: constant }),
  builtin('opa.runtime',         [], object(string, any), runtime, { nondeterministic: true, cost: constant }),
];
