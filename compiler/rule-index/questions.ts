/** The rule index: conditions of expressions on the input, base documents and arguments. */
import type { Builtin } from '../../runtime/builtins/builtin.js';
import { functionName } from '../ast/names.js';
import type { Body, CallExpr, Expr, RefTerm, Term } from '../ast/nodes.js';
import { printTerm } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import { isEquality, isScalar } from '../resolve/declared.js';
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
export interface Question {
  /** A path of a document, or an argument. */
  readonly place: string;
  /** Whether it is to have some value, or a certain one. */
  readonly wants: 'any' | 'value';
  /** Whether the expression asks for more than the index does. */
  readonly asksMore: boolean;
}

export function argument(index: number): string {
  return `#${index}`;
}

/** A glob that the index knows: text, and `*` in it. */
const plainGlob = /^(?:[^*?[\]{}!\\]|\*(?!\*))*$/;

export class Questions {
  readonly #context: IndexContext;
  /** Variables that stand for a place. */
  readonly #places = new Map<string, string>();

  constructor(context: IndexContext, args: readonly Term[]) {
    this.#context = context;
    args.forEach((arg, i) => {
      if (arg.type === 'var') this.#places.set(arg.name, argument(i));
    });
  }

  /**
   * The conditions of a body's expressions, in their order; undefined if there are none. A body
   * that prints is never skipped.
   */
  of(body: Body): readonly (Question | undefined)[] | undefined {
    if (!this.#context.functions.ruleIndex || body.some(isOutput)) return undefined;
    const questions = body.map((expr) => (expr.negated || expr.with.length > 0 ? undefined : this.#question(expr)));
    return questions.some((question) => question !== undefined) ? questions : undefined;
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
      if (node.type === 'ref') tells = node.terms[0]!.type === 'var' && node.terms[0].name === 'data' && !this.#isBase(node);
      else if (node.type === 'call' || (node.type === 'expr' && node.kind === 'call')) {
        const name = functionName(node.operator);
        const row = name === undefined ? undefined : builtins.get(name);
        tells =
          name !== 'eq' && (row === undefined || row.nondeterministic === true || this.#context.environment.mockOf(name!) !== undefined);
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
    const place = this.#place(asked) ?? this.#elements(asked, value);
    if (place === undefined) return undefined;
    if (isScalar(value) || (value.type === 'array' && value.items.every((item) => item.type === 'var' || isScalar(item))))
      return { place, wants: 'value', asksMore: false };
    // Of two variables nothing is known; a path has to have a value.
    if (value.type !== 'var' || asked.type === 'var') return undefined;
    if (!this.#places.has(value.name)) this.#places.set(value.name, place);
    return { place, wants: 'any', asksMore: false };
  }

  /** The place of the elements in `input.xs[i] == "a"`. */
  #elements(asked: Term, value: Term): string | undefined {
    if (this.#context.functions.elements !== true || asked.type !== 'ref' || !isScalar(value)) return undefined;
    if (asked.terms.at(-1)!.type !== 'var' || asked.terms.length < 2) return undefined;
    const place = this.#place({ ...asked, terms: asked.terms.slice(0, -1) });
    return place && `${place}[_]`;
  }

  /** The place of `input.x in {"a", "b"}`, of `"a" in input.xs` and of globs. */
  #placeOfCall({ operator, args }: CallExpr): string | undefined {
    const name = functionName(operator);
    const [first, second, third] = args as readonly [Term, Term, Term];
    if (name === undefined || this.#context.environment.mockOf(name) !== undefined) return undefined;
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
    const { documents } = this.#context.functions;
    let document = documents.root;
    for (let i = 1; i < terms.length; i++) {
      const key = terms[i]!;
      if (document.kind !== 'package') return false;
      if (key.type !== 'string') return isScalar(key);
      const child = documents.child(document, key.value);
      if (child === undefined) return true;
      document = child;
    }
    return false;
  }
}

function isOutput(expr: Expr): boolean {
  const name = expr.kind === 'call' ? functionName(expr.operator) : undefined;
  return name === 'internal.print' || name === 'trace';
}
