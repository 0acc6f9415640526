/**
 * Refusals of the formatter: calls that infix operators cannot express, and modules that version 1
 * does not take as they are.
 */
import { builtins } from '../../values/index.js';
import type { CallExpr, CallTerm, Expr, Import, Module, Node, Rule, Term, VarTerm } from '../ast/nodes.js';
import { printImport, printRef } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import { checkRuleOverrides } from '../check/strict.js';
import { CompileErrors, Diagnostics } from '../diagnostics/diagnostics.js';
import { compileErrors, renderDiagnostics } from '../diagnostics/render.js';
import { importName } from '../resolve/imports.js';
import { versionOneKeywords } from '../syntax/tokens.js';
import { keywordOf } from './imports.js';
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

/** Reports each rule with such a name, and each other such name where it stands. */
function checkFormattedNames(module: Module, diagnostics: Diagnostics): void {
  for (const statement of module.imports) {
    const name = importName(statement);
    if (keywordOf(statement) !== undefined || !versionOneKeywords.has(name)) continue;
    if (statement.alias === undefined)
      diagnostics.report('importEndsWithKeyword', statement.path.terms.at(-1)!.loc, { name });
    else diagnostics.report('keywordAsName', statement.loc, { name, what: 'import' });
  }
  const rules = new Set<string>();
  for (const { head, loc } of module.rules) {
    const name = head.ref[0];
    if (head.ref.length > 1 || name.type !== 'var' || !versionOneKeywords.has(name.name)) continue;
    rules.add(name.name);
    diagnostics.report('keywordAsRuleName', loc, { name: name.name });
  }
  for (const rule of module.rules) {
    for (const { name, loc } of variablesOf(rule).values())
      if (versionOneKeywords.has(name) && !rules.has(name))
        diagnostics.report('keywordAsName', loc, { name, what: 'variable' });
  }
}

/** The variables that stand where version 1 takes no keyword, each by its first occurrence. */
function variablesOf(rule: Rule): ReadonlyMap<string, VarTerm> {
  const found = new Map<string, VarTerm>();
  const add = (variable: VarTerm): void => {
    if (!found.has(variable.name)) found.set(variable.name, variable);
  };
  const heads = new Set<Node>();
  const visit = (node: Node): void => {
    if (node.type === 'var') {
      // As a term, and as the name of the built-in, `contains` stays a name.
      if (node.name !== 'contains' && !heads.has(node)) add(node);
      return;
    }
    if (node.type === 'expr' && node.kind === 'some')
      for (const symbol of node.symbols) if (symbol.type === 'var') add(symbol);
    // Before a field or an index any word is a name.
    const name =
      node.type === 'head' ? node.ref[0] : node.type === 'ref' && node.terms.length > 1 ? node.terms[0] : undefined;
    if (name !== undefined) heads.add(name);
  };
  walk(rule, visit);
  return found;
}
