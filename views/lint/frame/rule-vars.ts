/** The variables of a rule, in the order of the text. */

import type { CallExpr, Expr, Node, Rule, Term, VarTerm } from '../../../compiler/index.js';
import { isWildcard, walk } from '../../../compiler/index.js';

/**
 * The place of a variable in a rule: an argument, declared by `some`, in a pattern of `some … in`,
 * `every` or an assignment, the argument behind the last one of a function, or in a ref.
 */
type VarRole = 'argument' | 'some' | 'some in' | 'every' | 'assign' | 'result' | 'ref';

/** The names of a file around a rule. */
interface Surroundings {
  readonly plainRuleNames: ReadonlySet<string>;
  readonly importNames: ReadonlySet<string>;
  readonly arityOf: (call: CallExpr) => number | undefined;
}

interface FoundVar {
  readonly role: VarRole;
  readonly node: VarTerm;
}

/**
 * The order of the text alone tells what gives a name its value, whatever the scopes: the first use
 * in a ref is an output, later ones are inputs. A function's arguments count where they are plain
 * variables.
 */
export class RuleVars {
  readonly all: readonly FoundVar[];
  readonly #rule: Rule;
  readonly #file: Surroundings;
  #inRefs: ReadonlySet<VarTerm> | undefined;
  #named: readonly VarTerm[] | undefined;
  readonly #byName: ReadonlyMap<string, readonly FoundVar[]>;

  constructor(rule: Rule, file: Surroundings) {
    const all: FoundVar[] = [];
    const add = (role: VarRole, nodes: Iterable<Node | undefined>): void => {
      for (const node of nodes) if (node?.type === 'var') all.push({ role, node });
    };
    walk(rule, (node) => {
      if (node.type === 'head') add('argument', node.args ?? []);
      else if (node.type === 'ref') add('ref', node.terms.slice(1));
      else if (node.type === 'expr') addDeclared(node, file, add);
    });
    this.all = all;
    this.#rule = rule;
    this.#file = file;
    this.#byName = Map.groupBy(all, ({ node }) => node.name);
  }

  /** The variables that authors name, each node once. */
  get named(): readonly VarTerm[] {
    this.#named ??= [...new Set(this.all.map(({ node }) => node))].filter(({ name }) => !isWildcard(name));
    return this.#named;
  }

  /** The variables in refs, wildcards too. */
  get inRefs(): ReadonlySet<VarTerm> {
    this.#inRefs ??= new Set(this.all.flatMap(({ role, node }) => (role === 'ref' ? [node] : [])));
    return this.#inRefs;
  }

  /** Whether a variable of a ref takes its values there. */
  isOutput(node: VarTerm): boolean {
    if (isWildcard(node.name)) return true;
    if (this.#file.plainRuleNames.has(node.name) || this.#file.importNames.has(node.name)) return false;
    const above = (this.#byName.get(node.name) ?? []).filter((found) => this.#isAbove(found.node, node));
    return above.length === 0 || (above.length === 1 && above[0]!.role === 'some');
  }

  /** Whether a name has a value, or is declared, before a place. */
  isKnownAt(node: VarTerm): boolean {
    return (this.#byName.get(node.name) ?? []).some((found) => found.node !== node && this.#isAbove(found.node, node));
  }

  /** Whether a `some` of the rule declares a name. */
  isDeclaredBySome(name: string): boolean {
    return (this.#byName.get(name) ?? []).some(({ role }) => role === 'some');
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The value of the head sees all names of the rule: there, a name is no output. */
  #isAbove(found: VarTerm, node: VarTerm): boolean {
    const { value } = this.#rule.head;
    if (value && value.loc.start > this.#rule.head.loc.start && value.loc.includes(node.loc)) return true;
    return found.loc.start < node.loc.start;
  }
}

/** The variables that an expression declares or gives a value. */
function addDeclared(expr: Expr, file: Surroundings, add: (role: VarRole, nodes: Iterable<Node>) => void): void {
  switch (expr.kind) {
    case 'some':
      for (const symbol of expr.symbols)
        if (symbol.type === 'call') for (const term of symbol.args.slice(0, -1)) add('some in', varsIn(term));
        else add('some', [symbol]);
      break;
    case 'every':
      add('every', [expr.key, expr.value].filter((term) => term !== undefined && !isWildcard(term.name)) as VarTerm[]);
      break;
    case 'call':
      addOfCall(expr, file, add);
      break;
    default:
  }
}

function addOfCall(expr: CallExpr, file: Surroundings, add: (role: VarRole, nodes: Iterable<Node>) => void): void {
  const [left] = expr.args;
  const { terms } = expr.operator;
  const name = terms.length === 1 && terms[0].type === 'var' ? terms[0].name : undefined;
  if ((name === 'assign' || name === 'eq') && left) {
    if (left.type === 'var') add('assign', [left]);
    else if (left.type === 'array' || left.type === 'object') add('assign', varsIn(left));
    return;
  }
  const arity = file.arityOf(expr);
  if (arity !== undefined) for (const term of expr.args.slice(arity)) add('result', varsIn(term));
}

/** All variables in a term, wildcards excepted. */
function varsIn(term: Term): VarTerm[] {
  const found: VarTerm[] = [];
  walk(term, (node) => {
    if (node.type === 'var' && !isWildcard(node.name)) found.push(node);
  });
  return found;
}
