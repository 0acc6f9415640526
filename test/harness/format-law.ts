/**
 * The law of the formatter, held by means that are not its own: trees as JSON, comments as texts.
 */

import { expect } from 'vitest';
import { moduleToJson } from '../../compiler/ast/ast-json.js';
import type { Expr, Module, Node, RegoVersion, Term } from '../../compiler/ast/nodes.js';
import { printModule } from '../../compiler/ast/print.js';
import { walk } from '../../compiler/ast/walk.js';
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { formatText } from '../../compiler/format/format.js';
import { parseModule } from '../../compiler/syntax/parse.js';

export type Version = 'v0' | 'v1';

interface JsonModule {
  readonly package: unknown;
  readonly imports?: readonly unknown[];
  readonly rules?: readonly { readonly head: Record<string, unknown> }[];
}

/**
 * The part of a module that formatting must keep: all but the order of imports, imports of
 * keywords, `:=` for `=` in heads, `a["b"]` for `a.b` in heads (`name` and `key` differ there),
 * constants in templates for their texts, and the numbers of wildcards.
 */
function meaning(module: Module, isConverted: boolean): string {
  const json = moduleToJson(module) as unknown as JsonModule;
  const texts = (json.imports ?? []).map((statement) => JSON.stringify(statement)).sort();
  const isNew = isConverted || texts.some((text) => text.includes('"rego"'));
  const imports = texts.filter((text) => !(isNew && text.includes('"keywords"')) && !(isConverted && text.includes('"rego"')));
  for (const { head } of json.rules ?? []) {
    if (head.value === undefined) continue;
    delete head.name;
    delete head.key;
  }
  const dropped = new Set(['comments', 'annotations', 'assign']);
  return JSON.stringify([json.package, imports, json.rules, templateTexts(module)], (key, value) =>
    dropped.has(key) ? undefined : key === 'parts' ? expressionsOf(value) : value,
  ).replace(/"\$\d+"/g, '"_"');
}

function expressionsOf(parts: readonly object[]): readonly object[] {
  return parts.filter((part) => 'terms' in part);
}

/**
 * The texts of a module's templates: constants are a part of them, expressions a gap. Members
 * of sets have no order.
 */
function templateTexts(module: Module): readonly string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'templatestring')
      texts.push(
        node.parts.map((part) => (part.type === 'string' ? part.value : part.type === 'number' ? part.text : gapOr(part))).join(''),
      );
  };
  for (const rule of module.rules) walk(rule, visit);
  return [...new Set(texts)].sort();
}

function gapOr(part: Term | Expr): string {
  if (part.type === 'boolean') return String(part.value);
  return part.type === 'null' ? 'null' : '\0';
}

function commentsOf({ comments }: Module): readonly string[] {
  return comments.map(({ text }) => text.trimEnd()).sort();
}

/** A module printed in one line a rule is the same module. Tells whether the text is one. */
export function expectPrints(text: string, regoVersion: Version): boolean {
  let module: Module;
  try {
    module = parseModule('m.rego', text, { regoVersion, processAnnotations: false });
  } catch {
    return false;
  }
  const printed = printModule(module);
  const again = parseModule('printed.rego', printed, { regoVersion, processAnnotations: false });
  if (meaning(again, false) !== meaning(module, false)) expect(printed, 'the tree is another').toBe(text);
  return true;
}

/**
 * Checks the law for a text, and returns whether it was formatted: it may be no module, or have
 * content that the formatter refuses.
 */
export function expectLaw(text: string, version: Version, to?: RegoVersion): boolean {
  const read = (source: string, regoVersion: Version): Module => parseModule('m.rego', source, { regoVersion, processAnnotations: false });
  const options = to === undefined ? {} : { to };
  const written = to === undefined ? version : to === 'v1' ? 'v1' : 'v0';
  let module: Module;
  let formatted: string;
  try {
    module = read(text, version);
    formatted = formatText('m.rego', text, { regoVersion: version }, options);
  } catch (error) {
    if (error instanceof CompileErrors) return false;
    throw new Error(`${(error as Error).message}:\n${text}`);
  }
  const again = read(formatted, written);
  const isConverted = to !== undefined;
  if (meaning(again, isConverted) !== meaning(module, isConverted)) expect(formatted, 'the tree is another').toBe(text);
  if (to === 'v0v1' && meaning(read(formatted, 'v1'), true) !== meaning(module, true))
    expect(formatted, 'version 1 reads another tree').toBe(text);
  if (commentsOf(again).join('\n') !== commentsOf(module).join('\n')) expect(formatted, 'the comments are others').toBe(text);
  expect(formatText('m.rego', formatted, { regoVersion: written }, options), 'formatting it again changes it').toBe(formatted);
  return true;
}
