/** Checked modules → plan. */

import type { Func, Plan, Policy, UnplannedRule } from '../../ir-schema/index.js';
import type { Builtin } from '../../values/index.js';
import { allAtOnce, builtins, isStackOverflow, type Steps, withDeclared, withRows } from '../../values/index.js';
import { documentText, functionName } from '../ast/names.js';
import type { Body, Ref, Term } from '../ast/nodes.js';
import type { Origins } from '../ast/origins.js';
import { printTerm } from '../ast/print.js';
import { diagnose } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import type { Compiled, CompiledQuery } from '../resolve/compiled.js';
import { shownName } from '../resolve/local-names.js';
import type { RuleDocument, VirtualDocument } from '../resolve/virtual-document.js';
import { commonKeys, matchesKeys, tellsKeys } from '../rule-index/rule-keys.js';
import { locationOf, nowhere, type Span } from '../source/location.js';
import type { Source } from '../source/source.js';
import type { PlanInputs } from './documents/plan-inputs.js';
import { Reach } from './documents/reach.js';
import { documentHolding, VirtualDocuments } from './documents/virtual-documents.js';
import { calleesFirst, type PlannedFunction } from './emit/call-order.js';
import { func, type LocalNumbers, local, ownPath } from './emit/emit.js';
import { literalFunction } from './emit/literal-function.js';
import { Statics } from './emit/statics.js';
import { type Environment, type Mock, plainEnvironment, type WithReplacement } from './environment.js';
import { planCollection } from './expressions/plan-terms.js';
import { FunctionPlanner } from './function-planner.js';
import type { Callee, Functions, Keys } from './planning.js';
import type { Probes } from './probes.js';
import { planDocument, planKeys } from './rules/plan-rules.js';

/**
 * The subject of a plan: the document at a path (`authz/allow`), or the solutions of a query.
 */
export type PlanRequest =
  | { readonly name: string; readonly path: readonly string[] }
  | { readonly name: string; readonly query: CompiledQuery; readonly replaced?: readonly QueryReplacement[] };

/** A replacement for a query, as by a `with` around it. */
export interface QueryReplacement extends Pick<WithReplacement, 'target' | 'mock'> {
  /** The value of a parameter: what a built-in answers for a name. */
  readonly value?: { readonly builtin: string; readonly name: string };
}

export interface PlanOptions {
  /** List the rules that no plan asked for needs. */
  readonly unplannedRules?: boolean | undefined;
  /** Pass over bodies that the reference's rule index passes over; unless this is false. */
  readonly ruleIndex?: boolean | undefined;
  /** Look no further for a rule's value once it is settled; unless this is false. */
  readonly earlyExit?: boolean | undefined;
  /** Instruments the plan. */
  readonly probes?: Probes | undefined;
  /**
   * Built-ins that policies may not name: those of probes, and those of our own queries.
   */
  readonly builtins?: readonly Builtin[] | undefined;
  /**
   * Numbers no local twice in the whole plan, but for input and data: for engines whose functions
   * share registers.
   */
  readonly uniqueLocals?: boolean | undefined;
  /** Put notes on statements, which `debugInfo` reads. */
  readonly notes?: boolean | undefined;
  /** For the notes on texts that the compiler has written: where their parts come from. */
  readonly origins?: ReadonlyMap<Source, Origins> | undefined;
  /** Takes the environment of each function that is planned for a `with`, by name. */
  readonly environments?: Map<string, Environment> | undefined;
  /** Collects the plan's inputs: while they hold, the same request gives the same plan. */
  readonly inputs?: PlanInputs | undefined;
}

/**
 * Plans the requests, and every rule reachable from them. Deterministic: the same modules and
 * requests give the same plan.
 */
export function plan(compiled: Compiled, requests: readonly PlanRequest[], options: PlanOptions = {}): Policy {
  return allAtOnce(planSteps(compiled, requests, options));
}

/** As `plan`, in steps. Throws CompileErrors for what nests too deeply. */
export function* planSteps(
  compiled: Compiled,
  requests: readonly PlanRequest[],
  options: PlanOptions = {},
): Steps<Policy> {
  const planner = new PolicyPlanner(compiled, options);
  try {
    const plans = requests.map((request) =>
      'path' in request
        ? planner.entrypoint(request.name, request.path)
        : planner.query(request.name, request.query, request.replaced),
    );
    return yield* planner.policy(plans, options);
  } catch (error) {
    // A caller may have little stack left.
    throw isStackOverflow(error) ? compileErrors([diagnose('compiledTooDeeply', undefined, {})]) : error;
  }
}

/**
 * Built-ins that send requests: of a set or an object whose rules call them, only the wanted keys
 * are evaluated.
 */
const requests = ['http.send', 'net.lookup_ip_addr'];

/** The statements of literals with more characters are written when they are first read. */
const longLiteral = 1000;

/** The first local that is neither input nor data. */
const firstLocal = 2;

/** The functions planned under one environment. */
interface Generation {
  readonly generation: number;
  readonly byUnit: Map<VirtualDocument, Callee>;
  /** Functions of keys: of one, of two, …. */
  readonly keyed: Map<VirtualDocument, Callee[]>;
}

class PolicyPlanner implements Functions {
  readonly documents: VirtualDocuments;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly probes: Probes | undefined;
  readonly ruleIndex: boolean;
  readonly earlyExit: boolean;
  readonly isNoted: boolean;
  readonly origins: ReadonlyMap<Source, Origins> | undefined;
  readonly #sharedNumbers: LocalNumbers | undefined;
  readonly #environments: Map<string, Environment> | undefined;
  readonly #reach: Reach;
  readonly #statics = new Statics();
  readonly #funcs = new Map<string, PlannedFunction>();
  /** The callees of the current function. */
  #calls = new Set<string>();
  /** Functions by the environment that they were planned under, then by document. */
  readonly #callees = new Map<string, Generation>();
  readonly #keys = new Map<VirtualDocument, Keys | undefined>();
  readonly #pending: (() => Steps)[] = [];
  readonly #literals = new Map<string, string>();
  readonly #planned = new Set<VirtualDocument>();
  readonly #replacements = new Map<string, WithReplacement>();

  constructor(
    compiled: Compiled,
    {
      probes,
      builtins: internal = [],
      inputs,
      ruleIndex = true,
      earlyExit = true,
      notes = false,
      origins,
      uniqueLocals = false,
      environments,
    }: PlanOptions,
  ) {
    this.probes = probes;
    this.ruleIndex = ruleIndex;
    this.earlyExit = earlyExit;
    this.isNoted = notes;
    this.origins = notes ? origins : undefined;
    this.#environments = environments;
    this.#sharedNumbers = uniqueLocals ? { next: firstLocal } : undefined;
    this.documents = new VirtualDocuments(compiled.ruleTree, inputs);
    const known = withDeclared(compiled.options.builtins ?? builtins, compiled.options.capabilities);
    this.builtins = withRows(known, internal);
    this.#reach = new Reach(this.documents);
    this.#generation(plainEnvironment);
  }

  localNumbers(): LocalNumbers {
    return this.#sharedNumbers ?? { next: firstLocal };
  }

  replacement(target: WithReplacement['target'], mock: Mock | undefined): WithReplacement {
    const by =
      mock?.type === 'function' ? functionName(mock.ref) : mock?.type === 'constant' ? printTerm(mock.term) : '';
    const key = JSON.stringify([target, mock?.type, by]);
    let replacement = this.#replacements.get(key);
    if (replacement === undefined)
      this.#replacements.set(key, (replacement = { target, mock, id: this.#replacements.size }));
    return replacement;
  }

  /**
   * The part of an environment that affects a document: the replacements reachable from it, and
   * from the functions that replace its callees.
   */
  #effective(document: VirtualDocument, environment: Environment): Environment {
    const own = environment.only((replacement) => this.#reach.reaches(document, replacement));
    if (own === environment) return environment;
    const stands = own.replacements.flatMap(({ mock }) =>
      mock?.type === 'function' ? (documentHolding(this.documents, mock.ref) ?? []) : [],
    );
    if (stands.length === 0) return own;
    return environment.only(
      (replacement) =>
        own.replacements.includes(replacement) ||
        (replacement.mock === undefined && stands.some((stand) => this.#reach.reaches(stand, replacement))),
    );
  }

  callee(document: VirtualDocument, environment: Environment): Callee {
    return this.#calleeOf(document, environment, 0);
  }

  keyedCallee(document: VirtualDocument, environment: Environment, keys: number): Callee {
    return this.#calleeOf(document, environment, keys);
  }

  keysOf(document: VirtualDocument): Keys | undefined {
    if (document.kind !== 'set' && document.kind !== 'object') return undefined;
    if (!this.#keys.has(document)) this.#keys.set(document, this.#findKeys(document));
    return this.#keys.get(document);
  }

  #findKeys(document: RuleDocument): Keys | undefined {
    if (!matchesKeys(document)) return undefined;
    const sendsRequests = () =>
      requests.some((target) => this.#reach.reaches(document, { target, mock: undefined, id: -1 }));
    return { count: commonKeys(document), isAlwaysAsked: tellsKeys(this, document) || sendsRequests() };
  }

  /** @param keys how many are asked for; 0 for the whole */
  #calleeOf(document: VirtualDocument, environment: Environment, keys: number): Callee {
    const effective = this.#effective(document, environment);
    const { generation, byUnit, keyed } = this.#generation(effective);
    let callee = keys === 0 ? byUnit.get(document) : keyed.get(document)?.[keys];
    if (callee === undefined) {
      const group = `g${generation}`;
      const part = document.part === undefined ? '' : `{${document.part}}`;
      const name = `${group}.${documentText(document.path)}${part}${'[_]'.repeat(keys)}`;
      callee = { name, environment: effective, path: [group, ...document.path] };
      if (effective.replacements.length > 0) this.#environments?.set(name, effective);
      if (keys === 0) byUnit.set(document, callee);
      else setAt(keyed, document, keys, callee);
      this.#planned.add(document);
      const made = callee;
      this.#pending.push(() => this.#function(document, made, keys));
    }
    this.#calls.add(callee.name);
    return callee;
  }

  *#function(document: VirtualDocument, callee: Callee, keys: number): Steps {
    const { name, environment } = callee;
    this.#calls = new Set();
    const arity = document.kind === 'function' ? (document.rules[0].rule.head.args?.length ?? 0) : keys;
    const planner = new FunctionPlanner(this, this.#statics, environment, arity);
    const func = yield* keys > 0 && document.kind !== 'package'
      ? planKeys(planner, document, name)
      : planDocument(planner, document, callee);
    this.#funcs.set(name, { func, calls: this.#calls });
  }

  #generation(environment: Environment) {
    let generation = this.#callees.get(environment.key);
    if (generation === undefined) {
      generation = { generation: this.#callees.size, byUnit: new Map(), keyed: new Map() };
      this.#callees.set(environment.key, generation);
    }
    return generation;
  }

  literal(term: Term): string {
    const text = printTerm(term);
    let name = this.#literals.get(text);
    if (name === undefined) {
      name = `literal.${this.#literals.size}`;
      this.#literals.set(text, name);
      this.#funcs.set(name, { func: this.#literalFunction(name, term, text.length > longLiteral), calls: new Set() });
    }
    this.#calls.add(name);
    return name;
  }

  #literalFunction(name: string, term: Term, isLong: boolean): Func {
    const planner = new FunctionPlanner(this, this.#statics, plainEnvironment, 0);
    planner.e.subject = { reason: 'literal', expr: term.loc };
    const build = () => {
      let result = 0;
      const block = planner.e.block(() => {
        const operand = planCollection(planner, term as Term & { type: 'array' | 'set' | 'object' });
        result = operand.type === 'local' ? operand.value : 0;
        planner.e.emit('ReturnLocalStmt', term.loc, { source: result });
      });
      return { result, block };
    };
    if (isLong) return literalFunction(name, term, planner.params, this.#statics, build);
    const { result, block } = build();
    return func(name, ownPath(name), planner.params, result, [block]);
  }

  entrypoint(name: string, path: readonly string[]): Plan {
    const terms: Ref = [
      { type: 'var', loc: nowhere, name: 'data' },
      ...path.map((value): Term => ({ type: 'string', loc: nowhere, value })),
    ];
    return this.#plan(name, [], [['result', { type: 'ref', loc: nowhere, terms }]]);
  }

  query(name: string, { body, names }: CompiledQuery, replaced: readonly QueryReplacement[] = []): Plan {
    return this.#plan(name, body, names, replaced);
  }

  #replace({ target, mock, value }: QueryReplacement, planner: FunctionPlanner, span: Span): void {
    const replacement = this.replacement(target, mock);
    planner.environment = planner.environment.with(replacement);
    if (value === undefined) return;
    const { e } = planner;
    const result = e.newLocal();
    this.#statics.builtin(this.builtins.get(value.builtin)!);
    e.emit('CallStmt', span, { func: value.builtin, args: [e.string(value.name)], result });
    planner.replacementValues.set(replacement.id, local(result));
  }

  /** A body's solutions: an object of bindings for each. */
  #plan(
    name: string,
    body: Body,
    bindings: ReadonlyMap<string, string> | readonly (readonly [string, Term])[],
    replaced: readonly QueryReplacement[] = [],
  ): Plan {
    const planner = new FunctionPlanner(this, this.#statics, plainEnvironment, 0);
    const { e } = planner;
    if (!Array.isArray(bindings)) e.subject = { reason: 'query', names: bindings as ReadonlyMap<string, string> };
    const block = e.block(() => {
      const span = body[0]?.loc ?? nowhere;
      for (const one of replaced) this.#replace(one, planner, span);
      planner.body(body);
      const values = Array.isArray(bindings)
        ? (bindings as readonly (readonly [string, Term])[]).map(([key, term]) => [key, planner.term(term)] as const)
        : boundNames(e.scope.names, bindings as ReadonlyMap<string, string>).map(
            ([key, written]) => [written, e.scope.get(key)!] as const,
          );
      const object = e.newLocal();
      e.emit('MakeObjectStmt', span, { target: object });
      for (const [key, value] of values) e.emit('ObjectInsertStmt', span, { object, key: e.string(key), value });
      e.emit('ResultSetAddStmt', span, { value: object });
    });
    return { name, blocks: [block] };
  }

  *policy(plans: readonly Plan[], options: PlanOptions): Steps<Policy> {
    // Planning a function finds others to plan.
    for (const plan of this.#pending) {
      yield* plan();
      yield;
    }
    const unplanned = options.unplannedRules === true ? { unplanned_rules: this.#unplannedRules() } : {};
    return { static: this.#statics.table, plans: { plans }, funcs: { funcs: calleesFirst(this.#funcs) }, ...unplanned };
  }

  #unplannedRules(): UnplannedRule[] {
    const rules: UnplannedRule[] = [];
    const visit = (document: VirtualDocument): void => {
      if (document.kind !== 'package' && !this.#planned.has(document)) {
        for (const { rule } of document.rules) {
          const end = rule.loc.endPosition;
          const { file, row, col } = locationOf(rule.loc);
          const location = { file: this.#statics.file(file), row, col, end_row: end.row, end_col: end.col };
          rules.push({ path: document.path.join('/'), location });
        }
      }
      for (const [, child] of this.documents.children(document)) visit(child);
    };
    visit(this.documents.root);
    return rules;
  }
}

/** The variables of a query that its author wrote, under the names that they had. */
function boundNames(names: readonly string[], written: ReadonlyMap<string, string>): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const own = shownName(name, written);
    return own === undefined ? [] : [[name, own] as const];
  });
}

function setAt<K, V>(map: Map<K, V[]>, key: K, index: number, value: V): void {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  list[index] = value;
}
