/**
 * Guards: expressions that decide at once that a rule's body is undefined. The reference's rule
 * index asks them of the input, base documents and arguments before it evaluates a body, so they
 * come first here: none of them fails with an error, sends a request or prints.
 */
import { varTerm } from '../../ast/make.js';
import type { Body, CallExpr, Expr, RefTerm, Rule, Term } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import { varsOf } from '../../ast/vars.js';
import { walk } from '../../ast/walk.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { isEquality, isScalar } from '../../resolve/declared.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import { plainEnvironment, targetName } from '../environment.js';
import { isLiteral } from '../expressions/terms.js';
import type { Functions, Planning } from '../planning.js';

/** The condition of an expression on one place. */
interface Question {
  /** A path of a document, or an argument. */
  readonly place: string;
  /** Whether it is to have some value, or a certain one. */
  readonly wants: 'any' | 'value';
  /** Whether the expression asks for more than the index does. */
  readonly asksMore: boolean;
}

export interface IndexedBody {
  readonly guards: readonly Expr[];
  readonly rest: Body;
}

/**
 * Splits the body of a rule, or of an `else`. An expression that must not be moved stays, and a
 * copy of it, with variables of its own, is among the guards. Before anything that could tell, only
 * comparisons with constants are worth moving.
 * @param args the head's parameters
 * @param inOrder leave all of the body where it is
 */
export function indexBody(p: Planning, body: Body, args: readonly Term[], inOrder: boolean): IndexedBody {
  const first: Expr[] = [];
  const others: Expr[] = [];
  const rest: Expr[] = [];
  const seen = new Set<string>();
  const params = new Set(args.flatMap((arg) => (arg.type === 'var' ? [arg.name] : [])));
  const bound = new Set(params);
  const copied = new Set<string>();
  /**
   * By variable: the comparison with a place that was left where it is. A copy of it binds the
   * variable's copy for guards that need it.
   */
  const left = new Map<string, Expr>();
  const questions = new Questions(p, args);
  let tells = inOrder;
  for (const [expr, question] of questions.of(body)) {
    tells ||= question === undefined && questions.tells(expr);
    if (question !== undefined) {
      const own = [...varsOf(expr, { skipOperators: true, skipRefHead: true })].filter((name) => !params.has(name));
      const vars = own.filter((name) => !bound.has(name));
      if (!tells && (expr.kind === 'term' || own.length > 0)) {
        rest.push(expr);
        for (const name of vars) if (!copied.has(name)) left.set(name, expr);
        for (const name of varsOf(expr)) seen.add(name);
        continue;
      }
      for (const name of vars) {
        const binding = left.get(name);
        if (binding !== undefined && binding.kind === 'call') others.push(copyOf(binding, { ...question, asksMore: false }, bound));
        left.delete(name);
      }
      const stays = inOrder || (question.asksMore && rest.length > 0) || vars.some((name) => seen.has(name) || copied.has(name));
      for (const name of vars) (stays ? copied : bound).add(name);
      // Comparisons with constants rule out most, and the machine dispatches on them.
      const guards = question.wants === 'value' && own.length === 0 ? first : others;
      guards.push(stays ? copyOf(expr, question, bound) : expr);
      if (!stays) continue;
    }
    rest.push(expr);
    for (const name of varsOf(expr)) seen.add(name);
  }
  const guards = [...first, ...others];
  return { guards, rest: inOrder || guards.length === 0 ? body : rest };
}

/** The first key below a set or an object that a rule of it is about. */
function keyOf({ path }: VirtualDocument, { module, rule, ref }: CompiledRule): Term {
  const depth = path.length + 1;
  return ref.length > depth ? rule.head.ref[depth - module.parsed.package.path.length]! : rule.head.key!;
}

/**
 * Whether a key can be matched with the heads of a set's or an object's rules before their bodies
 * are evaluated.
 */
export function matchesKeys(document: VirtualDocument): boolean {
  const isPattern = (term: Term): boolean => {
    if (term.type === 'var' || isLiteral(term)) return true;
    if (term.type === 'array') return term.items.every(isPattern);
    return term.type === 'object' && term.entries.every(({ key, value }) => isLiteral(key) && isPattern(value));
  };
  const depth = document.path.length + 1;
  return document.rules.every((compiled) => {
    // A set where other rules make an object is a conflict, whatever is asked for.
    if (document.kind === 'object' && compiled.ref.length === depth) return false;
    return compiled.rule.else === undefined && isPattern(keyOf(document, compiled));
  });
}

/** How many keys the rules of a set or an object have in common. */
export function commonKeys({ kind, path, rules }: VirtualDocument): number {
  const [first] = rules;
  if (kind === 'set' || rules.some(({ ref }) => ref.length !== first!.ref.length)) return 1;
  return first!.ref.length - path.length - 1;
}

/**
 * Whether it shows at once which key each rule of a set or an object is about: a constant, or a
 * place that the index compares.
 */
export function tellsKeys(functions: Functions, document: VirtualDocument): boolean {
  return document.rules.every((compiled) => {
    const key = keyOf(document, compiled);
    // Results at scalars are remembered.
    if (key.type !== 'var') return isScalar(key);
    for (const [expr, question] of new Questions({ functions, environment: plainEnvironment }, [key]).of(compiled.rule.body)) {
      if (question === undefined || !isEquality(expr)) continue;
      if (expr.args.some((arg) => arg.type === 'var' && arg.name === key.name)) return true;
    }
    return false;
  });
}

/**
 * The same question without consequences: variables that are not bound yet have other names, which
 * no author can write.
 */
function copyOf(expr: Expr, { asksMore }: Question, bound: ReadonlySet<string>): Expr {
  if (asksMore && expr.kind === 'term') return equality(expr, varTerm(expr.loc, `#${expr.loc.start}`), expr.term);
  const copy = (term: Term): Term => {
    if (term.type === 'var' && !bound.has(term.name)) return varTerm(term.loc, `#${term.name}`);
    return term.type === 'array' ? { ...term, items: term.items.map(copy) } : term;
  };
  return expr.kind === 'call' ? { ...expr, args: expr.args.map(copy) } : expr;
}

function equality({ loc }: Expr, a: Term, b: Term): CallExpr {
  const operator: RefTerm = { type: 'ref', loc, terms: [varTerm(loc, 'eq')] };
  return { type: 'expr', kind: 'call', loc, negated: false, generated: true, with: [], operator, args: [a, b] };
}

interface Level {
  readonly level: number;
  readonly rank: number;
}

/**
 * Rules in the order in which the reference's index finds them: place by place, those that most
 * rules ask about first, and at each the rules that do not ask first.
 */
export function inIndexOrder(p: Planning, rules: readonly CompiledRule[]): readonly CompiledRule[] {
  if (rules.length < 2) return rules;
  const asked = rules.map(({ rule }) => placesOf(p, rule));
  const counts = new Map<string, number>();
  for (const places of asked) for (const place of places.keys()) counts.set(place, (counts.get(place) ?? 0) + 1);
  if (counts.size === 0) return rules;
  const levels = new Map([...counts].sort(([, a], [, b]) => b - a).map(([place], level) => [place, level]));
  const keys = asked.map((places) => {
    const key = [...places].map(([place, wants]): Level => ({ level: levels.get(place)!, rank: wants === 'any' ? 1 : 2 }));
    return key.sort((a, b) => a.level - b.level);
  });
  return [...rules.keys()].sort((a, b) => compareKeys(keys[a]!, keys[b]!)).map((i) => rules[i]!);
}

function compareKeys(a: readonly Level[], b: readonly Level[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [left, right] = [a[i]!, b[i]!];
    if (left.level !== right.level) return right.level - left.level;
    if (left.rank !== right.rank) return left.rank - right.rank;
  }
  return a.length - b.length;
}

function placesOf(p: Planning, { head, body }: Rule): ReadonlyMap<string, Question['wants']> {
  const args = head.args ?? [];
  const places = new Map<string, Question['wants']>();
  args.forEach((arg, i) => {
    if (isScalar(arg)) places.set(argument(i), 'value');
  });
  for (const [, question] of new Questions(p, args).of(body)) {
    if (question !== undefined && places.get(question.place) !== 'value') places.set(question.place, question.wants);
  }
  return places;
}

function argument(index: number): string {
  return `#${index}`;
}

/** A glob that the index knows: text, and `*` in it. */
const plainGlob = /^(?:[^*?[\]{}!\\]|\*(?!\*))*$/;

class Questions {
  readonly #p: Pick<Planning, 'functions' | 'environment'>;
  /** Variables that stand for a place. */
  readonly #places = new Map<string, string>();

  constructor(p: Pick<Planning, 'functions' | 'environment'>, args: readonly Term[]) {
    this.#p = p;
    args.forEach((arg, i) => {
      if (arg.type === 'var') this.#places.set(arg.name, argument(i));
    });
  }

  /**
   * The expressions of a body one by one, with what they ask. A body that prints is always looked
   * at.
   */
  *of(body: Body): Generator<readonly [expr: Expr, question: Question | undefined]> {
    const isIndexed = this.#p.functions.ruleIndex && !body.some(isPrint);
    for (const expr of body) yield [expr, isIndexed && !expr.negated && expr.with.length === 0 ? this.#question(expr) : undefined];
  }

  /**
   * Whether it can be noticed that an expression was evaluated: others may be asked for something,
   * or an error end the evaluation.
   */
  tells(expr: Expr): boolean {
    const { builtins } = this.#p.functions;
    let tells = false;
    walk(expr, (node) => {
      if (tells) return;
      if (node.type === 'ref') tells = node.terms[0]!.type === 'var' && node.terms[0].name === 'data' && !this.#isBase(node);
      else if (node.type === 'call' || (node.type === 'expr' && node.kind === 'call')) {
        const name = targetName(node.operator);
        const row = name === undefined ? undefined : builtins.get(name);
        tells = name !== 'eq' && (row === undefined || row.nondeterministic === true || this.#p.environment.mockOf(name!) !== undefined);
      }
    });
    return tells;
  }

  #question(expr: Expr): Question | undefined {
    if (expr.kind === 'term') {
      const place = this.#document(expr.term);
      return place === undefined ? undefined : { place, wants: 'any', asksMore: true };
    }
    if (expr.kind !== 'call') return undefined;
    if (isEquality(expr)) return this.#equality(expr.args[0]!, expr.args[1]!) ?? this.#equality(expr.args[1]!, expr.args[0]!);
    const place = this.#placeOfCall(expr);
    return place === undefined ? undefined : { place, wants: 'value', asksMore: false };
  }

  #equality(asked: Term, value: Term): Question | undefined {
    const place = this.#place(asked);
    if (place === undefined) return undefined;
    if (isScalar(value) || (value.type === 'array' && value.items.every((item) => item.type === 'var' || isScalar(item))))
      return { place, wants: 'value', asksMore: false };
    // Of two variables nothing is known; a path has to have a value.
    if (value.type !== 'var' || asked.type === 'var') return undefined;
    if (!this.#places.has(value.name)) this.#places.set(value.name, place);
    return { place, wants: 'any', asksMore: false };
  }

  /** The place of `input.x in {"a", "b"}`, of `"a" in input.xs` and of globs. */
  #placeOfCall({ operator, args }: CallExpr): string | undefined {
    const name = targetName(operator);
    const [first, second, third] = args as readonly [Term, Term, Term];
    if (name === undefined || this.#p.environment.mockOf(name) !== undefined) return undefined;
    if (name === 'internal.member_2' && args.length === 2) {
      if (isScalar(first)) return this.#place(second);
      return (second.type === 'array' || second.type === 'set') && second.items.every(isScalar) ? this.#place(first) : undefined;
    }
    if (name !== 'glob.match' || args.length !== 3 || first.type !== 'string' || !plainGlob.test(first.value)) return undefined;
    const isConstant = second.type === 'null' || (second.type === 'array' && second.items.every(({ type }) => type === 'string'));
    return isConstant ? this.#place(third) : undefined;
  }

  #place(term: Term): string | undefined {
    return term.type === 'var' ? this.#places.get(term.name) : this.#document(term);
  }

  /** The name of a path into the input or into base documents. */
  #document(term: Term): string | undefined {
    if (term.type !== 'ref' || !term.terms.every((key, i) => i === 0 || isScalar(key))) return undefined;
    const head = term.terms[0]!;
    if (head.type !== 'var') return undefined;
    return head.name === 'input' || (head.name === 'data' && this.#isBase(term)) ? printTerm(term) : undefined;
  }

  #isBase({ terms }: RefTerm): boolean {
    const { documents } = this.#p.functions;
    let document = documents.root;
    for (const key of terms.slice(1)) {
      if (document.kind !== 'package') return false;
      if (key.type !== 'string') return isScalar(key);
      const child = documents.child(document, key.value);
      if (child === undefined) return true;
      document = child;
    }
    return false;
  }
}

function isPrint(expr: Expr): boolean {
  return expr.kind === 'call' && targetName(expr.operator) === 'internal.print';
}
