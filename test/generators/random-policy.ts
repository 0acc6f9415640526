/** Inputs, data and modules for random policies. */
import type { Module } from '../../compiler/ast/nodes.js';
import { CompileErrors, type Diagnostic } from '../../compiler/diagnostics/diagnostics.js';
import { compileModules } from '../../compiler/pipeline.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Value } from '../../runtime/values/value.js';
import type { GeneratedPolicy } from './policy-generator.js';

const more = { n: [2, 1, 0], o: { a: 'a', b: 'k', k: 1 }, p: [[1, 2], [1, 1], { a: 1, b: 2 }, ['a', ['b']]] };
export const inputs: readonly (Value | undefined)[] = [
  undefined,
  { ...more, a: { b: 1, a: [1, 2] }, b: [{ a: 1 }, 'a'] },
  {
    ...more,
    a: [
      [1, 2],
      [2, 1],
    ],
    b: 'b',
  },
  { n: ['b', 'a', 1], a: { a: 'a', b: 'a' }, o: { a: 'k' }, p: {} },
  [1, 'a', { a: { b: 2 } }],
];

export const data: Value = {
  d: { a: { b: [1, 2], a: 1 }, b: [[1, 'a'], { k: 1 }] },
  a: { z: { a: 1, m: 2 }, b: { a: 2 } },
  e: { k: { a: [1] } },
};

/**
 * Rules by package, in the given or the reverse order, in one module per package or one per rule.
 */
export function textsOf({ imports, rules }: GeneratedPolicy, reversed: boolean, apart: boolean): readonly string[] {
  const list = reversed ? rules.toReversed() : rules;
  if (apart) return list.map(({ package: name, text }) => `package ${name}\n${imports}\n${text}`);
  const byPackage = Map.groupBy(list, (rule) => rule.package);
  return [...byPackage].map(([name, all]) => `package ${name}\n${imports}\n${all.map(({ text }) => text).join('\n')}`);
}

export function parsed(texts: readonly string[]): ReadonlyMap<string, Module> {
  return new Map(texts.map((text, i) => [`${i}.rego`, parseModule(`${i}.rego`, text)] as const));
}

/**
 * Whether policies can be planned. Type checking comes last and changes no result: an expression
 * with a type error can be evaluated all the same, mostly to undefined.
 */
export function isPlannable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code, message }) => code === 'rego_type_error' && !/arity|many|few|function|conflict/.test(message));
}

/** The policies, compiled; undefined if they cannot be planned. */
export function compiledPolicy(texts: readonly string[]): Compiled | undefined {
  try {
    const compiled = compileModules({ modules: parsed(texts), options: { errorLimit: 0 } });
    return isPlannable(compiled.diagnostics) ? compiled : undefined;
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}
