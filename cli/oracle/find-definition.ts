/** Finds the definition of the name at a place in a module: a rule, a package or a variable. */

import type { Module, Node, Span, Term } from '../../compiler/index.js';
import { forEachChild, importName, isRoot, leadingKeys, packageSegments } from '../../compiler/index.js';
import { beginsWith, isSamePath } from '../../values/index.js';
import { declarationOf, firstUseOf } from './local-definition.js';

/** Why there is no definition: no name stands at the place, or nothing defines it. */
type Miss = 'oracle_no_match_found' | 'oracle_no_definition_found';

/**
 * The place of the definition.
 * @param modules all modules, `module` among them
 * @param offset in UTF-16 units
 */
export function findDefinition(modules: readonly Module[], module: Module, offset: number): Span | Miss {
  const at = nodeAt(module, offset);
  const terms = at && termsAt(at);
  if (at === undefined || terms === undefined) return 'oracle_no_match_found';
  return resolved(terms, at, module, modules) ?? 'oracle_no_definition_found';
}

/** The path up to the name at the place: `data.a` where the cursor is on `a` of `data.a.b`. */
function termsAt({ node, around }: NodeAt): readonly Term[] | undefined {
  const parent = around.at(-1);
  if (node.type === 'import') return node.path.terms;
  const path = (parent && pathOf(parent)) ?? [];
  const index = path.indexOf(node as Term);
  if (index >= 0) return path.slice(0, index + 1);
  return node.type === 'var' ? [node] : undefined;
}

function pathOf(node: Node): readonly Term[] | undefined {
  if (node.type === 'ref') return node.terms;
  if (node.type === 'head') return node.ref;
  return node.type === 'package' ? node.path : undefined;
}

function resolved(
  terms: readonly Term[],
  { around }: NodeAt,
  module: Module,
  modules: readonly Module[],
): Span | undefined {
  const [first] = terms;
  const last = terms.at(-1);
  // A variable within a path, `x` of `data.a[x]`, is one of the rule.
  const head = last?.type === 'var' ? last : first;
  if (head?.type !== 'var') return undefined;
  const parent = around.at(-1);
  const isHead = parent?.type === 'head' && parent.ref[0] === head;
  const rest = leadingKeys(terms.slice(1));
  if (head.name === 'data') return ruleOrPackage(rest, modules);
  const own = isHead ? undefined : declarationOf(head.name, around);
  if (own !== undefined) return own;
  const imported = module.imports.find((statement) => importName(statement) === head.name);
  if (imported !== undefined && !isHead) {
    const [root, ...path] = imported.path.terms;
    return isRoot(root, 'data') ? ruleOrPackage([...leadingKeys(path), ...rest], modules) : imported.loc;
  }
  const rule = ruleAt([...packageSegments(module), head.name, ...rest], modules);
  return rule ?? (head.name === 'input' || isOperator(around) ? undefined : firstUseOf(head.name, around));
}

/** Whether the innermost ref is the name of a function. */
function isOperator(around: readonly Node[]): boolean {
  const [call, ref] = around.slice(-2);
  return call !== undefined && 'operator' in call && call.operator === ref;
}

function ruleOrPackage(path: readonly string[], modules: readonly Module[]): Span | undefined {
  const isPackage = (of: Module) => isSamePath(packageSegments(of), path);
  const isBelow = (of: Module) => beginsWith(packageSegments(of), path);
  return ruleAt(path, modules) ?? (modules.find(isPackage) ?? modules.find(isBelow))?.package.loc;
}

/** The first rule with the longest path that the given one begins with, or else one below it. */
function ruleAt(path: readonly string[], modules: readonly Module[]): Span | undefined {
  const rules = modules.flatMap((module) => {
    const prefix = packageSegments(module);
    return module.rules.map(({ head, loc }) => ({
      loc,
      path: [...prefix, ...headKeys(head.ref)],
      depth: prefix.length,
    }));
  });
  const above = rules.filter((rule) => beginsWith(path, rule.path)).sort((a, b) => b.path.length - a.path.length);
  return (above[0] ?? rules.find((rule) => path.length > rule.depth && beginsWith(rule.path, path)))?.loc;
}

function headKeys([head, ...rest]: readonly Term[]): readonly string[] {
  return head?.type === 'var' ? [head.name, ...leadingKeys(rest)] : [];
}

/** A node with the nodes around it, the innermost last. */
interface NodeAt {
  readonly node: Node;
  readonly around: readonly Node[];
}

function nodeAt(module: Module, offset: number): NodeAt | undefined {
  const around: Node[] = [];
  let found: NodeAt | undefined;
  // Not only below nodes that contain the offset: a node in parentheses may begin after its parts.
  const enter = (node: Node): void => {
    if (contains(node, offset) && (found === undefined || lengthOf(node) <= lengthOf(found.node)))
      found = { node, around: [...around] };
    around.push(node);
    forEachChild(node, enter);
    around.pop();
  };
  enter(module);
  return found;
}

/** Offsets just behind a name count too: a cursor stands between characters. */
function contains(node: Node, offset: number): boolean {
  return (
    node.type !== 'module' &&
    node.loc.start <= offset &&
    (offset < node.loc.end || (offset === node.loc.end && isName(node)))
  );
}

function isName({ type }: Node): boolean {
  return type === 'var' || type === 'string';
}

function lengthOf(node: Node): number {
  return node.type === 'module' ? Number.POSITIVE_INFINITY : node.loc.end - node.loc.start;
}
