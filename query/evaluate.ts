/**
 * Evaluates queries on checked syntax trees: the same answers as plans give, found by unification
 * and backtracking, in the order in which the rules' authors read them. It is slower than a plan;
 * explanations and partial evaluation are what it is for.
 */

import { stringTerm, varTerm } from '../compiler/ast/make.js';
import { functionName } from '../compiler/ast/names.js';
import type { Body, Comprehension, Node, RefTerm, Term } from '../compiler/ast/nodes.js';
import { walk } from '../compiler/ast/walk.js';
import type { Compiled, CompiledQuery } from '../compiler/resolve/compiled.js';
import { documentAt, type VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { nowhere } from '../compiler/source/location.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import { withDeclared } from '../runtime/builtins/declared.js';
import { builtins as allBuiltins } from '../runtime/builtins/registry.js';
import type { Evaluation } from '../runtime/evaluation/evaluation.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import { linkedBuiltin } from '../runtime/evaluation/linked-builtin.js';
import { makeObject } from '../runtime/values/compare.js';
import { RegoSet } from '../runtime/values/set.js';
import type { Value } from '../runtime/values/value.js';
import { Frame } from './bindings.js';
import { evaluateAt, evaluateCollection } from './collections.js';
import { evaluateComprehension } from './comprehensions.js';
import { packageValue } from './documents.js';
import { Environment } from './environment.js';
import { located } from './errors.js';
import { evaluateBody } from './expressions.js';
import { Machine, type Next, type Step, type WithValue } from './machine.js';
import { evaluateRef } from './refs.js';
import { RuleIndex } from './rule-index.js';
import { evaluateValue } from './rules.js';
import type { CallableBuiltin, Program, Search } from './search.js';
import { termValue } from './terms.js';

/** The document at a path (`authz/allow`), or the solutions of a query. */
type Question = { readonly name: string; readonly path: readonly string[] } | { readonly name: string; readonly query: CompiledQuery };

/**
 * Prepares questions for evaluation; loads the libraries of the built-ins that may be called.
 *
 * @example
 * const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
 * const solutions = executable.run(0, input, data, evaluation);
 */
export async function prepareQueries(compiled: Compiled, questions: readonly Question[]): Promise<Executable> {
  const executable = new QueryExecutable(compiled, questions);
  await executable.load();
  return executable;
}

class QueryExecutable implements Executable {
  readonly entrypoints: ReadonlyMap<string, number>;
  readonly builtins: readonly string[];
  readonly #program: Program;
  readonly #questions: readonly Question[];

  constructor(compiled: Compiled, questions: readonly Question[]) {
    this.entrypoints = new Map(questions.map(({ name }, i) => [name, i]));
    this.#questions = questions;
    const { builtins: available = allBuiltins, capabilities } = compiled.options;
    const builtins = builtinsOf(compiled, questions, withDeclared(available, capabilities));
    this.builtins = [...builtins.keys()];
    const sendsRequests = this.builtins.some((name) => requests.has(name));
    const root = documentAt(compiled.ruleTree, []);
    const index = new RuleIndex(root, new Map([...builtins].map(([name, { row }]) => [name, row] as const)));
    this.#program = { root, index, builtins, targets: new WeakMap(), sendsRequests };
  }

  async load(): Promise<void> {
    await Promise.all([...this.#program.builtins.values()].map(({ row }) => row.load?.()));
  }

  run(entrypoint: number, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const question = this.#questions[entrypoint]!;
    const results: Value[] = [];
    const search = new QuerySearch(this.#program, evaluation, new Environment({ input, data }));
    if ('path' in question) search.path(question.path, (value) => results.push({ result: value }));
    else search.query(question.query, (solution) => results.push(solution));
    return results.length > 1 ? [...new RegoSet(results)] : results;
  }
}

const requests: ReadonlySet<string> = new Set(['http.send', 'net.lookup_ip_addr']);

/** The built-ins that the policy and the questions name: in calls, and as values of `with`. */
function builtinsOf(
  compiled: Compiled,
  questions: readonly Question[],
  available: ReadonlyMap<string, Builtin>,
): ReadonlyMap<string, CallableBuiltin> {
  const found = new Map<string, CallableBuiltin>();
  const add = (name: string | undefined): void => {
    const row = name === undefined || found.has(name) ? undefined : available.get(name);
    if (row !== undefined) found.set(row.name, { row, linked: linkedBuiltin(row) });
  };
  const visit = (node: Node): void => {
    if (node.type === 'ref') add(functionName(node));
    else if (node.type === 'var') add(node.name);
  };
  for (const { rules } of compiled.modules.values()) for (const { rule } of rules) walk(rule, visit);
  for (const question of questions) if ('query' in question) for (const expr of question.query.body) walk(expr, visit);
  return found;
}

class QuerySearch implements Search {
  readonly machine: Machine;
  readonly evaluation: Evaluation;
  readonly program: Program;
  frame: Frame;

  constructor(program: Program, evaluation: Evaluation, environment: Environment) {
    this.program = program;
    this.evaluation = evaluation;
    this.machine = new Machine(environment, evaluation.meter);
    this.frame = new Frame(undefined, undefined, nowhere);
  }

  /** Calls `found` with the document at a path, if there is one. */
  path(path: readonly string[], found: (value: Value) => void): void {
    const terms: Term[] = [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))];
    const then: WithValue = (value) => {
      found(value);
      return this.machine.fail();
    };
    this.#run(() => this.ref({ type: 'ref', loc: nowhere, terms }, this.frame, then));
  }

  /** Calls `found` with the bindings of each solution, by the names that the author wrote. */
  query({ body, names }: CompiledQuery, found: (solution: Value) => void): void {
    const { frame } = this;
    this.#run(() =>
      this.body(body, frame, () => {
        const written = [...frame.values].flatMap(([name, value]) => {
          const own = name.startsWith('$') ? undefined : name.startsWith('__local') ? names.get(name) : name;
          return own === undefined ? [] : [[own, value] as const];
        });
        found(makeObject(written));
        return this.machine.fail();
      }),
    );
  }

  #run(first: Step): void {
    try {
      this.machine.run(first);
    } catch (error) {
      throw located(error, this.frame);
    }
  }

  body(body: Body, frame: Frame, then: Step): Next {
    return evaluateBody(this, body, frame, then);
  }

  ref(ref: RefTerm, frame: Frame, then: WithValue): Next {
    return evaluateRef(this, ref, frame, then);
  }

  comprehension(term: Comprehension, frame: Frame, then: WithValue): Next {
    return evaluateComprehension(this, term, frame, then);
  }

  operand(term: Term, frame: Frame, then: WithValue): Next {
    switch (term.type) {
      case 'ref':
        return this.ref(term, frame, then);
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.comprehension(term, frame, then);
      default:
        return then(termValue(term, frame));
    }
  }

  document(document: VirtualDocument, frame: Frame, then: WithValue): Next {
    switch (document.kind) {
      case 'package':
        return packageValue(this, document, frame, then);
      case 'complete':
        return evaluateValue(this, document, [], frame, then);
      case 'function':
        throw new Error(`the function data.${document.path.join('.')} is no value`);
      default:
        return evaluateCollection(this, document, frame, then);
    }
  }

  documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateAt(this, document, keys, frame, then);
  }

  call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateValue(this, document, args, frame, then);
  }
}
