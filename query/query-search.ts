/** The parts of the evaluator, connected: one evaluation. */

import type { Body, Comprehension, RefTerm, Term } from '../compiler/ast/nodes.js';
import type { CompiledQuery } from '../compiler/resolve/compiled.js';
import { shownName } from '../compiler/resolve/local-names.js';
import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { nowhere } from '../compiler/source/location.js';
import { ArrayIndexes } from '../runtime/evaluation/array-indexes.js';
import type { Evaluation } from '../runtime/evaluation/evaluation.js';
import { makeObject } from '../values/compare.js';
import type { Value } from '../values/value.js';
import { Frame } from './bindings.js';
import { evaluateAt, evaluateCollection } from './collections.js';
import { evaluateComprehension } from './comprehensions.js';
import { evaluateDirectly } from './direct/direct.js';
import { evaluateBody } from './expressions.js';
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
  readonly indexes = new ArrayIndexes();
  frame: Frame;

  constructor(program: Program, evaluation: Evaluation, machine: Machine) {
    this.program = program;
    this.evaluation = evaluation;
    this.machine = machine;
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
    const direct = evaluateDirectly(this, document, [], frame);
    if (direct !== undefined) return direct.value === undefined ? this.machine.fail() : then(direct.value);
    switch (document.kind) {
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

  matches(_part: 'key' | 'output', term: Term, value: Value, frame: Frame): boolean {
    return match(this.machine, term, value, frame);
  }

  call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    const direct = evaluateDirectly(this, document, args, frame);
    if (direct !== undefined) return direct.value === undefined ? this.machine.fail() : then(direct.value);
    return evaluateValue(this, document, args, frame, then);
  }
}
