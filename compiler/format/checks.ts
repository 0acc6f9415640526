/**
 * Refusals of the formatter: calls that infix operators cannot express, and modules that version 1
 * does not take as they are.
 */

import { builtins } from '../../values/index.js';
import type { CallExpr, CallTerm, Expr, Import, Module, Node, Term } from '../ast/nodes.js';
import { printImport, printRef } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import { checkRuleOverrides } from '../check/strict.js';
import { CompileErrors, Diagnostics } from '../diagnostics/diagnostics.js';
import { compileErrors, renderDiagnostics } from '../diagnostics/render.js';
import { importName } from '../resolve/imports.js';
import { checkFormattedNames } from './names.js';
import { isFixed } from './operators.js';

/**
 * Throws `CompileErrors` for calls of operators by name (`plus(1)`) with too few or too many
 * operands.
 */
export function checkOperands(module: Module): void {
  const diagnostics = new Diagnostics(0);
  eachCall(module, (call) => {
    const name = printRef(call.operator.terms);
    const operands = call.type === 'expr' ? [2, 3] : [2];
    if (!isFixed(name) || operands.includes(call.args.length) || definedNames(module).has(name)) return;
    const lines = [
      `have: (${call.args.map(typeName).join(',')})`,
      `want: (${operandTypes(name)},${operandTypes(name)})`,
    ];
    diagnostics.report('builtinArity', call.loc, { name }, { lines: () => lines });
  });
  // These errors name their file twice, as the reference's do.
  if (diagnostics.hasErrors)
    throw new CompileErrors(diagnostics.list, `${module.source.file}: ${renderDiagnostics(diagnostics.list)}`);
}

/**
 * Throws `CompileErrors` for a module that version 1 forbids despite its syntax: it hides names of
 * imports and roots, calls deprecated built-ins, or has names that are keywords there.
 */
export function checkVersionOneUse(module: Module): void {
  const diagnostics = new Diagnostics(0);
  const seen = new Map<string, Import>();
  for (const statement of module.imports) {
    const name = importName(statement);
    const first = seen.get(name);
    if (first) diagnostics.report('importShadows', statement.loc, { statement: printImport(first) });
    else seen.set(name, statement);
  }
  checkRuleOverrides(module.rules, { diagnostics }, true);
  const deprecated = new Set(builtins.deprecated);
  eachCall(module, (call) => {
    const name = printRef(call.operator.terms);
    if (deprecated.has(name) && !definedNames(module).has(name))
      diagnostics.report('deprecatedBuiltin', call.loc, { name });
  });
  if (module.regoVersion === 'v0') checkFormattedNames(module, diagnostics);
  if (diagnostics.hasErrors) throw compileErrors(diagnostics.list);
}

const names = new WeakMap<Module, ReadonlySet<string>>();

/** Names that a module gives a meaning of its own. */
function definedNames(module: Module): ReadonlySet<string> {
  let found = names.get(module);
  if (!found) {
    const rules = module.rules.map(({ head }) => (head.ref[0]?.type === 'var' ? head.ref[0].name : ''));
    found = new Set([...rules, ...module.imports.map(importName)]);
    names.set(module, found);
  }
  return found;
}

function eachCall(module: Module, visit: (call: CallTerm | CallExpr) => void): void {
  const enter = (node: Node): void => {
    if (isCall(node)) visit(node);
  };
  for (const rule of module.rules) walk(rule, enter);
}

function isCall(node: Node): node is CallTerm | CallExpr {
  return node.type === 'call' || (node.type === 'expr' && (node as Expr).kind === 'call');
}

/** The operands' types of an operator. */
function operandTypes(name: string): string {
  if (name === 'and' || name === 'or') return 'set[any]';
  if (name === 'minus') return 'any<number, set[any]>';
  return /^(plus|mul|div|rem)$/.test(name) ? 'number' : 'any';
}

function typeName({ type }: Term): string {
  return type;
}
