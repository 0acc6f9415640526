/** Modules of random policies. */
import type { Module } from '../../compiler/ast/nodes.js';
import { CompileErrors, type Diagnostic } from '../../compiler/diagnostics/diagnostics.js';
import { compileModules } from '../../compiler/pipeline.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';

export function parsed(texts: readonly string[]): ReadonlyMap<string, Module> {
  return new Map(texts.map((text, i) => [`${i}.rego`, parseModule(`${i}.rego`, text)] as const));
}

/**
 * Whether policies can be planned. Type checking comes last and changes no result: an expression
 * with a type error can be evaluated all the same, mostly to undefined.
 */
export function isPlannable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(
    ({ code, message }) => code === 'rego_type_error' && !/arity|many|few|function|conflict|default rules/.test(message),
  );
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
