/** One partial evaluation: the evaluator's search, with symbolic values and saved expressions. */
import type {
  Body,
  CallExpr,
  CompiledRule,
  Comprehension,
  Expr,
  RefTerm,
  Term,
  VirtualDocument,
} from '../../../compiler/index.js';
import { isLiteral, isRoot, nowhere, PossibleBodies, varsOf } from '../../../compiler/index.js';
import { baseAt, type Evaluation } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import { callTargetOf } from '../calls.js';
import { childDocument } from '../child-document.js';
import type { QueryEnvironment } from '../environment.js';
import { Machine, type Next, type Step, type WithValue } from '../machine.js';
import { functionNamed } from '../package-documents.js';
import { QuerySearch } from '../query-search.js';
import type { AskedRef } from '../refs/access.js';
import type { SearchProgram } from '../search.js';
import { TracedSearch } from '../trace/traced-search.js';
import type { ResidualOptions } from './partial-options.js';
import { PartialTrace } from './partial-trace.js';
import { isKept, PartialReach } from './reach.js';
import type { AuthorVariables } from './residual/author-variables.js';
import { ResidualNames } from './residual/names.js';
import { firstContext, type PartialContext } from './residual/partial-context.js';
import { SupportModules, supportPackage } from './residual/support-modules.js';
import { isOpen, type Symbolic, symbolicOf, symbolicTerm } from './symbolic.js';
import { isSurelyDefined, Unknowns } from './unknowns.js';

/**
 * Where a value comes from, which decides how the sides of a saved equality stand: a base document,
 * the input, a rule, an unknown term, or any other term.
 */
export type PartialSource = 'base' | 'input' | 'rule' | 'unknown' | 'term';

export type WithSymbolic = (value: Symbolic, source: PartialSource) => Next;

/** The value that a caller wants rules to have: a default that differs is no matter. */
export interface PartialAsked {
  readonly equals: Symbolic | undefined;
}

export const anyTerm: PartialAsked = { equals: undefined };

/** A ref that is followed, and how far it is. */
export interface Following extends AskedRef {
  readonly at: number;
  readonly asked: PartialAsked;
}

/** A call that is being evaluated. */
export interface OpenCall {
  readonly expr: CallExpr;
  readonly frame: Frame;
  readonly args: readonly Symbolic[];
  /** Takes the value of the call. */
  readonly finish: WithSymbolic;
  /** Saves the call instead, of the function or of another one. */
  readonly leave: (operator?: RefTerm) => Next;
}

export abstract class PartialSearch extends QuerySearch {
  readonly options: ResidualOptions;
  readonly unknowns: Unknowns;
  readonly reach: PartialReach;
  readonly names: ResidualNames;
  readonly support = new SupportModules();
  readonly #possible: PossibleBodies | undefined;
  /** The frame of the query. */
  readonly queryFrame: Frame;
  /** Where events are wanted. */
  readonly trace: PartialTrace | undefined;
  /** The environment without modifiers: only there rules are supported. */
  readonly first: QueryEnvironment;

  constructor(
    program: SearchProgram,
    evaluation: Evaluation,
    environment: QueryEnvironment,
    options: ResidualOptions,
    body: Body,
  ) {
    const { tracer } = options;
    const traced = tracer && new TracedSearch(program, evaluation, environment, tracer, body);
    super(program, evaluation, traced?.machine ?? new Machine(environment, evaluation.meter), options.known);
    this.options = options;
    this.first = environment;
    this.unknowns = new Unknowns(options.unknowns);
    this.reach = PartialReach.of(program, options);
    this.trace = traced && new PartialTrace(traced, this.unknowns);
    this.queryFrame = traced?.frame ?? new Frame(undefined, undefined, nowhere);
    this.names = new ResidualNames(this.queryFrame, varsOf(body), program.root.node);
    this.#possible = program.types && new PossibleBodies(program.types, ({ terms }) => isMissing(this, terms));
    this.machine.context = firstContext;
  }

  /** Evaluates the expressions of a body one after another. */
  abstract conjunction(body: Body, frame: Frame, then: Step): Next;
  /** The value of a term; the variables of a ref may be without one. */
  abstract symbolic(term: Term, frame: Frame, asked: PartialAsked, then: WithSymbolic): Next;
  /** The value that rules have at the keys of a ref. */
  abstract rules(document: VirtualDocument, following: Following, isEnumerated: boolean, then: WithSymbolic): Next;
  /** Calls a function of the policy. */
  abstract applied(document: VirtualDocument, call: OpenCall): Next;

  get context(): PartialContext {
    return this.machine.context as PartialContext;
  }

  set context(context: PartialContext) {
    this.machine.context = context;
  }

  override document(document: VirtualDocument, frame: Frame, then: WithValue): Next {
    return this.trace === undefined
      ? super.document(document, frame, then)
      : this.trace.known.document(document, frame, then);
  }

  override documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    const { trace } = this;
    return trace === undefined
      ? super.documentAt(document, keys, frame, then)
      : trace.known.documentAt(document, keys, frame, then);
  }

  override comprehension(term: Comprehension, frame: Frame, then: WithValue): Next {
    return this.trace === undefined
      ? super.comprehension(term, frame, then)
      : this.trace.known.comprehension(term, frame, then);
  }

  override call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    return this.trace === undefined
      ? super.call(document, args, frame, then)
      : this.trace.known.call(document, args, frame, then);
  }

  /** The rules of a document. A trace shows those that the rule index finds. */
  rulesOf(document: VirtualDocument, args: readonly Symbolic[] = []): readonly CompiledRule[] {
    return this.trace === undefined ? this.program.index.rulesOf(document) : this.trace.rulesOf(document, args);
  }

  /** Binds a variable until the search backtracks. */
  bind(frame: Frame, name: string, value: Symbolic): void {
    if (isOpen(value) && value.term.type === 'var') this.variables?.note(value.term.name, frame, name);
    this.machine.bind(frame, name, value as Value);
  }

  /** Whether rules of a document stay rules. */
  keepsRules(document: VirtualDocument): boolean {
    return this.options.shallowInlining === true || this.context.modifiers.length > 0 || this.isDisabled(document);
  }

  /** Whether the request says that rules stay rules. */
  isDisabled(document: VirtualDocument): boolean {
    return isKept(document, this.options);
  }

  /** Whether a document of `input` or `data` is unknown. */
  isUnknown(terms: readonly Term[]): boolean {
    return this.unknowns.includes(terms);
  }

  /** Whether a call of the residual has an operand for its one value. */
  hasOutput({ operator, args }: CallExpr): boolean {
    const [head, first, ...path] = operator.terms;
    if (isRoot(head, 'data') && first?.type === 'string' && first.value === 'partial') {
      const document = functionNamed(this.program.root, { ...operator, terms: [head, ...path] });
      return document?.rules[0]?.rule.head.args?.length === args.length - 1;
    }
    const { arity, builtin } = callTargetOf(this, operator);
    return args.length === arity + 1 && builtin?.row.relation !== true;
  }

  /** A body without what its types rule out; undefined if it can never hold. */
  possible(body: Body): Body | undefined {
    return this.#possible === undefined ? body : this.#possible.body(body);
  }

  get variables(): AuthorVariables | undefined {
    return this.options.variables;
  }

  isDefined(term: Term): boolean {
    return isSurelyDefined(term, this.unknowns, this.first.input);
  }

  /** Whether an expression can be evaluated as usual: nothing in it is open. */
  isKnown(expr: Expr, frame: Frame): boolean {
    return !this.reach.expr(expr) && !hasOpen(expr, frame);
  }
}

const variables = new WeakMap<Expr, readonly string[]>();

function hasOpen(expr: Expr, frame: Frame): boolean {
  let names = variables.get(expr);
  if (names === undefined) variables.set(expr, (names = [...varsOf(expr)]));
  return names.some((name) => isOpen(symbolicOf(frame, name)));
}

interface Known {
  readonly program: SearchProgram;
  readonly unknowns: Unknowns;
  /** The documents without modifiers. */
  readonly first: { readonly data: Value | undefined };
}

/**
 * Whether a ref leads where neither a rule nor a known document has a value. A ref is saved while
 * one of its keys may be that of an unknown document, and an expression behind it may say which key
 * it is.
 */
function isMissing({ program, first, unknowns }: Known, terms: readonly Term[]): boolean {
  const [head, top] = terms;
  if (!isRoot(head, 'data') || top === undefined || unknowns.includes(terms)) return false;
  if (top.type === 'string' && top.value === supportPackage) return false;
  let document: VirtualDocument | undefined = program.root;
  let base: Value | undefined = first.data;
  for (const term of terms.slice(1)) {
    if (!isLiteral(term)) return false;
    const key = symbolicTerm(term) as Value;
    document = document !== undefined && typeof key === 'string' ? childDocument(document, key) : undefined;
    if (document !== undefined && document.kind !== 'package') return false;
    base = base === undefined ? undefined : baseAt(base, key);
    if (document === undefined && base === undefined) return true;
  }
  return false;
}
