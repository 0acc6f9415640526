/** The rule index: conditions of expressions on the input, base documents and arguments. */
import type { Builtin } from '../../values/index.js';
import { callExpr, operatorRef, refTerm, stringTerm, varTerm } from '../ast/make.js';
import { functionName, isScalar } from '../ast/names.js';
import type { Body, CallExpr, Expr, RefTerm, Term } from '../ast/nodes.js';
import { printTerm } from '../ast/print.js';
import { varsOf } from '../ast/vars.js';
import { walk } from '../ast/walk.js';
import { isEquality } from '../resolve/expression-kinds.js';
import type { VirtualDocument } from '../resolve/virtual-document.js';

/** The policy and the replacements by `with`, as the rule index needs them. */
export interface IndexContext {
  readonly functions: {
    /** Whether bodies that the reference's rule index passes over are passed over. */
    readonly ruleIndex: boolean;
    /** Whether `xs[i] == "a"` is a question too, as it is of the reference's index. */
    readonly elements?: boolean;
    readonly builtins: ReadonlyMap<string, Pick<Builtin, 'nondeterministic'>>;
    readonly documents: {
      readonly root: VirtualDocument;
      child(document: VirtualDocument, key: string): VirtualDocument | undefined;
    };
  };
  readonly environment: {
    /** The replacement of a function. */
    mockOf(name: string): unknown;
  };
}

/** The condition of an expression on one place. */
export interface IndexQuestion {
  /** A path of a document, or an argument. */
  readonly place: string;
  /** Whether it is to have some value, a certain one, or one that begins or ends in a text. */
  readonly wants: 'any' | 'value' | 'text';
  /** Whether the expression asks for more than the index does. */
  readonly asksMore: boolean;
  /** The expressions that ask it: one, or parts or consequences of one with `and` and `or`. */
  readonly guards: readonly Expr[];
  readonly isWhole: boolean;
  /** The constants of which one has to fit, where an `or` can have more of them. */
  readonly choice?: Choice | undefined;
}

interface Choice {
  readonly kind: 'value' | 'prefix' | 'suffix';
  readonly constants: readonly Term[];
  /** Whether there may be several constants: the places of such questions are compared last. */
  readonly isOpen: boolean;
}

/** The built-ins that find one of several texts at the start or the end of another. */
const affixes: Readonly<Record<string, Omit<Choice, 'constants'>>> = {
  startswith: { kind: 'prefix', isOpen: false },
  endswith: { kind: 'suffix', isOpen: false },
  'strings.any_prefix_match': { kind: 'prefix', isOpen: true },
  'strings.any_suffix_match': { kind: 'suffix', isOpen: true },
};

const choiceOperators: Readonly<Record<Choice['kind'], readonly [string, string]>> = {
  value: ['internal', 'member_2'],
  prefix: ['strings', 'any_prefix_match'],
  suffix: ['strings', 'any_suffix_match'],
};

/** The built-ins that conditions of an `or` call. */
export const guardBuiltins: readonly string[] = Object.values(choiceOperators).map((names) => names.join('.'));

export function argument(index: number): string {
  return `#${index}`;
}

/** A glob that the index knows: text, and `*` in it. */
const plainGlob = /^(?:[^*?[\]{}!\\]|\*(?!\*))*$/;

export class Questions {
  readonly #context: IndexContext;
  /** Variables that stand for a place, and the expressions that bind them. */
  readonly #places = new Map<string, string>();
  readonly #bindings = new Map<string, Expr>();
  /** The term of each place. */
  readonly #terms = new Map<string, Term>();

  constructor(context: IndexContext, args: readonly Term[]) {
    this.#context = context;
    args.forEach((arg, i) => {
      if (arg.type === 'var') this.#places.set(arg.name, argument(i));
      this.#terms.set(argument(i), arg);
    });
  }

  /**
   * The conditions of each of a body's expressions; undefined if there are none. A body that prints
   * is never skipped.
   */
  of(body: Body): readonly (readonly IndexQuestion[])[] | undefined {
    if (!this.#context.functions.ruleIndex || body.some(hasOutput)) return undefined;
    const questions = body.map((expr) => this.#questions(expr));
    if (questions.every((found) => found.length === 0)) return undefined;
    // Below a place that is compared with any of several texts the index compares no other so.
    const open = questions.flat().filter(({ wants, choice }) => wants === 'text' && choice?.isOpen);
    return open.length < 2
      ? questions
      : questions.map((found) => found.filter((each) => each === open[0] || !open.includes(each)));
  }

  #questions(expr: Expr): readonly IndexQuestion[] {
    if (expr.negated || expr.with.length > 0) return none;
    if (expr.kind === 'and') return [...this.#ofOperand(expr.lhs), ...this.#ofOperand(expr.rhs)];
    if (expr.kind === 'or') return this.#eitherOf(this.#ofOperand(expr.lhs), this.#ofOperand(expr.rhs));
    const question = this.#question(expr);
    return question === undefined ? none : [question];
  }

  /** The questions of an operand, whose own variables are not visible outside. */
  #ofOperand(body: Body): readonly IndexQuestion[] {
    const outer = new Set(this.#places.keys());
    const found = body.flatMap((expr) => this.#questions(expr));
    const own = [...this.#places.keys()].filter((name) => !outer.has(name));
    const bindings = (guards: readonly Expr[]): readonly Expr[] => {
      const used = new Set(guards.flatMap((guard) => [...varsOf(guard)]));
      return own.filter((name) => used.has(name)).flatMap((name) => this.#bindings.get(name) ?? []);
    };
    for (const name of own) this.#places.delete(name);
    return found.map((question) => ({
      ...question,
      isWhole: false,
      guards: [...bindings(question.guards), ...question.guards],
    }));
  }

  /** The conditions on places about which both operands have one. */
  #eitherOf(left: readonly IndexQuestion[], right: readonly IndexQuestion[]): readonly IndexQuestion[] {
    const places = new Set(left.map(({ place }) => place));
    return [...places].flatMap((place) => {
      const [a, b] = [left, right].map((side) => side.filter((question) => question.place === place)) as [
        IndexQuestion[],
        IndexQuestion[],
      ];
      const term = this.#terms.get(place);
      if (b.length === 0 || term === undefined) return none;
      for (const { choice: one, wants } of a) {
        const other = b.find(({ choice }) => one !== undefined && choice?.kind === one.kind)?.choice;
        if (one === undefined || other === undefined || !this.#isBuiltin(choiceOperators[one.kind].join('.'))) continue;
        const choice = { kind: one.kind, constants: [...one.constants, ...other.constants], isOpen: true };
        return [{ place, wants, asksMore: false, isWhole: false, guards: choose(term, choice), choice }];
      }
      // Branches with different conditions share only that the place has a value.
      return [{ place, wants: 'any', asksMore: false, isWhole: false, guards: [definedness(term)] }];
    });
  }

  /**
   * Whether it can be noticed that an expression was evaluated: others may be asked for something,
   * or an error end the evaluation.
   */
  tells(expr: Expr): boolean {
    const { builtins } = this.#context.functions;
    let tells = false;
    walk(expr, (node) => {
      if (tells) return;
      if (node.type === 'ref')
        tells = node.terms[0].type === 'var' && node.terms[0].name === 'data' && !this.#isBase(node);
      else if (node.type === 'call' || (node.type === 'expr' && node.kind === 'call')) {
        const name = functionName(node.operator);
        const row = name === undefined ? undefined : builtins.get(name);
        tells =
          name === undefined ||
          (name !== 'eq' &&
            (row === undefined ||
              row.nondeterministic === true ||
              this.#context.environment.mockOf(name) !== undefined));
      }
    });
    return tells;
  }

  #isBuiltin(name: string): boolean {
    return this.#context.functions.builtins.has(name) && this.#context.environment.mockOf(name) === undefined;
  }

  #question(expr: Expr): IndexQuestion | undefined {
    if (expr.kind === 'term') {
      const place = this.#document(expr.term);
      return place === undefined ? undefined : { place, wants: 'any', asksMore: true, guards: [expr], isWhole: true };
    }
    if (expr.kind !== 'call') return undefined;
    if (isEquality(expr)) {
      const [first, second] = expr.args;
      return this.#equality(expr, first, second) ?? this.#equality(expr, second, first);
    }
    return this.#affix(expr) ?? this.#call(expr);
  }

  #equality(guard: CallExpr, asked: Term, value: Term): IndexQuestion | undefined {
    const place = this.#place(asked);
    const question = { asksMore: false, guards: [guard], isWhole: true } as const;
    if (place !== undefined && isScalar(value))
      return { place, wants: 'value', ...question, choice: { kind: 'value', constants: [value], isOpen: false } };
    const elements = place ?? this.#elements(asked, value);
    if (elements === undefined) return undefined;
    if (
      isScalar(value) ||
      (value.type === 'array' && value.items.every((item) => item.type === 'var' || isScalar(item)))
    )
      return { place: elements, wants: 'value', ...question };
    // An equation of two variables asks nothing; a path has to have a value.
    if (value.type !== 'var' || asked.type === 'var') return undefined;
    if (!this.#places.has(value.name)) {
      this.#places.set(value.name, elements);
      this.#bindings.set(value.name, guard);
    }
    return { place: elements, wants: 'any', ...question };
  }

  /** `startswith(input.path, "/a")` and its like. */
  #affix(guard: CallExpr): IndexQuestion | undefined {
    const name = functionName(guard.operator);
    if (name === undefined || this.#context.environment.mockOf(name) !== undefined) return undefined;
    const affix = Object.hasOwn(affixes, name) ? affixes[name] : undefined;
    const [asked, base, more] = guard.args;
    if (affix === undefined || asked === undefined || base === undefined || more !== undefined) return undefined;
    const constants = affix.isOpen && (base.type === 'array' || base.type === 'set') ? base.items : [base];
    const place = constants.every(({ type }) => type === 'string') ? this.#place(asked) : undefined;
    if (place === undefined) return undefined;
    return { place, wants: 'text', asksMore: false, guards: [guard], isWhole: true, choice: { constants, ...affix } };
  }

  /** The place of the elements in `input.xs[i] == "a"`. */
  #elements(asked: Term, value: Term): string | undefined {
    if (this.#context.functions.elements !== true || asked.type !== 'ref' || !isScalar(value)) return undefined;
    const [head, ...keys] = asked.terms;
    if (keys.pop()?.type !== 'var') return undefined;
    const place = this.#place({ ...asked, terms: [head, ...keys] });
    return place && `${place}[_]`;
  }

  /** `input.x in {"a", "b"}`, `"a" in input.xs` and globs. */
  #call(guard: CallExpr): IndexQuestion | undefined {
    const { operator, args } = guard;
    const name = functionName(operator);
    const [first, second, third] = args as readonly [Term, Term, Term];
    if (name === undefined || this.#context.environment.mockOf(name) !== undefined) return undefined;
    const question = (place: string | undefined, choice?: Choice): IndexQuestion | undefined =>
      place === undefined
        ? undefined
        : { place, wants: 'value', asksMore: false, guards: [guard], isWhole: true, choice };
    if (name === 'internal.member_2' && args.length === 2) {
      if (isScalar(first)) return question(this.#place(second));
      if ((second.type !== 'array' && second.type !== 'set') || !second.items.every(isScalar)) return undefined;
      return question(this.#place(first), { kind: 'value', constants: second.items, isOpen: true });
    }
    if (name !== 'glob.match' || args.length !== 3 || first.type !== 'string' || !plainGlob.test(first.value))
      return undefined;
    const isConstant =
      second.type === 'null' || (second.type === 'array' && second.items.every(({ type }) => type === 'string'));
    return isConstant ? question(this.#place(third)) : undefined;
  }

  #place(term: Term): string | undefined {
    return term.type === 'var' ? this.#places.get(term.name) : this.#document(term);
  }

  /** The name of a path into the input or into base documents. */
  #document(term: Term): string | undefined {
    if (term.type !== 'ref' || !term.terms.every((key, i) => i === 0 || isScalar(key))) return undefined;
    const head = term.terms[0];
    if (head.type !== 'var') return undefined;
    if (head.name !== 'input' && !(head.name === 'data' && this.#isBase(term))) return undefined;
    const place = printTerm(term);
    if (!this.#terms.has(place)) this.#terms.set(place, term);
    return place;
  }

  #isBase({ terms }: RefTerm): boolean {
    const { documents } = this.#context.functions;
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

const none: readonly IndexQuestion[] = [];

/** Whether an expression writes a note, or anything in it prints or tells a case of a test. */
function hasOutput(expr: Expr): boolean {
  let found = expr.kind === 'call' && functionName(expr.operator) === 'trace';
  walk(expr, (node) => {
    const isCall = node.type === 'call' || (node.type === 'expr' && node.kind === 'call');
    const name = isCall ? functionName(node.operator) : undefined;
    found ||= name === 'internal.print' || name === 'internal.test_case';
    return !found;
  });
  return found;
}

/** The condition that one of some constants fits a place. */
function choose(asked: Term, { kind, constants }: Choice): readonly Expr[] {
  const { loc } = asked;
  const [head, name] = choiceOperators[kind];
  const operator = refTerm(loc, [varTerm(loc, head), stringTerm(loc, name)]);
  const value = asked.type === 'var' ? asked : held(asked);
  const call = callExpr(loc, operator, [value, { type: 'array', loc, items: constants }]);
  return value === asked ? [call] : [definedness(asked), call];
}

/** Binds the value of a term to a variable that no author can write. */
function definedness(asked: Term): Expr {
  return callExpr(asked.loc, operatorRef(asked.loc, 'eq'), [held(asked), asked]);
}

function held({ loc }: Term): Term {
  return varTerm(loc, `#${loc.start}`);
}
