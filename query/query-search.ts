/** The parts of the evaluator, connected: one evaluation. */

import type { Body, Comprehension, RefTerm, Term } from '../compiler/ast/nodes.js';
import type { CompiledQuery } from '../compiler/resolve/compiled.js';
import { shownName } from '../compiler/resolve/local-names.js';
import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { nowhere } from '../compiler/source/location.js';
import type { Evaluation } from '../runtime/evaluation/evaluation.js';
import { makeObject } from '../values/compare.js';
import type { Value } from '../values/value.js';
import { Frame } from './bindings.js';
import { evaluateAt, evaluateCollection } from './collections.js';
import { evaluateComprehension } from './comprehensions.js';
import { evaluateBody } from './expressions.js';
import { type KnownDocuments, orAnswer } from './long-documents.js';
import type { Machine, Next, Step, WithValue } from './machine.js';
import { packageValue } from './package-documents.js';
import { located } from './query-errors.js';
import { evaluateRef } from './refs/refs.js';
import { evaluateValue } from './rules.js';
import type { Program, Search } from './search.js';
import { termValue } from './terms.js';
import { match } from './unify.js';

export class QuerySearch implements Search {
  readonly machine: Machine;
  readonly evaluation: Evaluation;
  readonly program: Program;
  readonly #known: KnownDocuments | undefined;
  frame: Frame;

  /** @param known is asked for documents that take long */
  constructor(program: Program, evaluation: Evaluation, machine: Machine, known?: KnownDocuments) {
    this.program = program;
    this.evaluation = evaluation;
    this.machine = machine;
    this.#known = known;
    this.frame = new Frame(undefined, undefined, nowhere);
  }

  /** Calls `found` with the document that a ref names, if there is one. */
  answer(ref: RefTerm, found: (value: Value) => void): void {
    const then: WithValue = (value) => {
      found(value);
      return this.machine.fail();
    };
    this.#run(() => this.ref(ref, this.frame, then));
  }

  /** Calls `found` with the bindings of each solution, by the names that the author wrote. */
  query({ body, names }: CompiledQuery, found: (solution: Value) => void): void {
    const { frame } = this;
    this.#run(() =>
      this.body(body, frame, () => {
        const written = [...frame.values].flatMap(([name, value]) => {
          const own = shownName(name, names);
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
    if (document.kind === 'package') return packageValue(this, document, frame, then);
    if (document.kind === 'function') throw new Error(`the function data.${document.path.join('.')} is no value`);
    const search = (found: WithValue): Next =>
      document.kind === 'complete' ? evaluateValue(this, document, [], frame, found) : evaluateCollection(this, document, frame, found);
    return this.#known === undefined ? search(then) : orAnswer(this, this.#known, document, search, then);
  }

  documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateAt(this, document, keys, frame, then);
  }

  matches(_part: 'key' | 'output', term: Term, value: Value, frame: Frame): boolean {
    return match(this.machine, term, value, frame);
  }

  call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateValue(this, document, args, frame, then);
  }
}
