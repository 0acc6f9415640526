/**
 * One-line assertions about diagnostics. In a source, «» mark the location of the expected
 * diagnostic.
 */

import { expect } from 'vitest';
import { printBody, printRule } from '../../compiler/ast/print.js';
import type { ComplaintCode } from '../../compiler/diagnostics/complaints.js';
import { compileModules, compileQuery } from '../../compiler/pipeline.js';
import type { CompileOptions } from '../../compiler/resolve/compile-options.js';
import type { Compiled, CompiledQuery } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';

export interface TestOptions extends CompileOptions {
  readonly regoVersion?: 'v0' | 'v1';
}

/**
 * Compiles modules `0.rego`, `1.rego`, …; a text without a package gets `package t` on a line
 * before it.
 */
export function compileTexts(texts: readonly string[], options: TestOptions = {}): Compiled {
  const modules = texts.map((text, i) => {
    const whole = /^\s*(#.*\n\s*)*package /.test(text) ? text : `package t\n${text}`;
    return [`${i}.rego`, parseModule(`${i}.rego`, whole, { regoVersion: options.regoVersion ?? 'v1' })] as const;
  });
  return compileModules({ modules: new Map(modules), options });
}

/** `rego_unsafe_var_error: var x is unsafe`, one for each diagnostic. */
export function complaintsOf(text: string | readonly string[], options?: TestOptions): readonly string[] {
  const { diagnostics } = compileTexts(typeof text === 'string' ? [text] : text, options);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

/**
 * Asserts that a module has exactly one diagnostic, with this code, optionally this message, at the
 * start of the «» marks.
 */
export function expectComplaint(marked: string, code: ComplaintCode, message?: string, options?: TestOptions): void {
  const start = marked.indexOf('«');
  const text = marked.replace('«', '').replace('»', '');
  const before = text.slice(0, start).split('\n');
  const { diagnostics } = compileTexts([text], options);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  const [diagnostic] = diagnostics;
  if (message !== undefined) expect(diagnostic!.message).toBe(message);
  if (start < 0) return;
  const shift = text.startsWith('package ') ? 0 : 1;
  expect(diagnostic!.location).toMatchObject({ row: before.length + shift, col: [...before.at(-1)!].length + 1 });
}

/** Asserts that modules compile without diagnostics, and returns the result. */
export function expectCompiled(text: string | readonly string[], options?: TestOptions): Compiled {
  const compiled = compileTexts(typeof text === 'string' ? [text] : text, options);
  expect(compiled.diagnostics.map(({ message }) => message)).toEqual([]);
  return compiled;
}

/** The first rule of a module after all stages, as text. */
export function compiledRule(text: string, options?: TestOptions): string {
  const [module] = expectCompiled(text, options).modules.values();
  const { rule } = module!.rules[0]!;
  // A generated body that stages have added expressions to is printed.
  return printRule({ ...rule, generatedBody: rule.generatedBody && rule.body === module!.parsed.rules[0]!.body });
}

/** A query after all stages, as text; it may refer to the module. */
export function compiledQuery(query: string, text = '', options?: TestOptions): string {
  const compiled: CompiledQuery = compileQuery(expectCompiled(text, options), parseQuery(query));
  expect(compiled.diagnostics.map(({ message }) => message)).toEqual([]);
  return printBody(compiled.body);
}
