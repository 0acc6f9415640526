/**
 * Evaluates queries on checked syntax trees: the same answers as plans give, found by unification
 * and backtracking, in the order in which the rules' authors read them. It is slower than a plan;
 * it serves explanations and partial evaluation. Here its parts are connected.
 */
import type { Body, Comprehension, RefTerm, Term, VirtualDocument } from '../../compiler/index.js';
import { documentText, nowhere } from '../../compiler/index.js';
import { checkUnique, type Evaluation, insert } from '../../runtime/index.js';
import { checkElements, type ObjectValue, RegoSet, type Value } from '../../values/index.js';
import { Frame } from './bindings.js';
import { evaluateAt, evaluateCollection } from './collections.js';
import { evaluateBody } from './expressions.js';
import { type KnownDocuments, orAnswer } from './long-documents.js';
import type { Machine, Next, Step, WithValue } from './machine.js';
import { packageValue } from './package-documents.js';
import { access } from './refs/access.js';
import { evaluateDataRef } from './refs/data-refs.js';
import { evaluateValue } from './rules.js';
import type { Search, SearchProgram } from './search.js';
import { termValue } from './term-value.js';
import { matchTerm } from './unify.js';

export class QuerySearch implements Search {
  readonly machine: Machine;
  readonly evaluation: Evaluation;
  readonly program: SearchProgram;
  readonly #known: KnownDocuments | undefined;
  frame: Frame;

  /** @param known is asked for documents that take long */
  constructor(program: SearchProgram, evaluation: Evaluation, machine: Machine, known?: KnownDocuments) {
    this.program = program;
    this.evaluation = evaluation;
    this.machine = machine;
    this.#known = known;
    this.frame = new Frame(undefined, undefined, nowhere);
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
    if (document.kind === 'function') throw new Error(`the function ${documentText(document.path)} is no value`);
    const search = (found: WithValue): Next =>
      document.kind === 'complete'
        ? evaluateValue(this, document, [], frame, found)
        : evaluateCollection(this, document, frame, found);
    return this.#known === undefined ? search(then) : orAnswer(this, this.#known, document, search, then);
  }

  documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateAt(this, document, keys, frame, then);
  }

  matches(_part: 'key' | 'output', term: Term, value: Value, frame: Frame): boolean {
    return matchTerm(this.machine, term, value, frame);
  }

  call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateValue(this, document, args, frame, then);
  }
}

/** The value of a comprehension, of all solutions of its body. */
function evaluateComprehension(search: Search, term: Comprehension, frame: Frame, then: WithValue): Next {
  const collector = collectorOf(search, term, frame);
  return search.machine.all(
    (found) => search.body(term.body, frame, found),
    collector.collect,
    () => then(collector.value()),
  );
}

function collectorOf(search: Search, term: Comprehension, frame: Frame): { collect(): void; value(): Value } {
  switch (term.type) {
    case 'arraycomprehension': {
      const items: Value[] = [];
      const collect = () => {
        checkElements(items.length + 1);
        items.push(termValue(term.term, frame));
      };
      return { collect, value: () => items };
    }
    case 'setcomprehension': {
      const set = new RegoSet();
      return { collect: () => void set.add(termValue(term.term, frame)), value: () => set };
    }
    case 'objectcomprehension': {
      let object: ObjectValue = {};
      const collect = () => {
        const key = termValue(term.key, frame);
        const value = termValue(term.value, frame);
        frame.at = term.key.loc;
        search.frame = frame;
        checkUnique(object, key, value);
        object = insert(object, key, value);
      };
      return { collect, value: () => object };
    }
  }
}

/** The values of a ref: each way in which its unbound variables can be bound is a solution. */
function evaluateRef(search: Search, ref: RefTerm, frame: Frame, then: WithValue): Next {
  const [head] = ref.terms;
  const { environment } = search.machine;
  if (head?.type !== 'var')
    return search.operand(head, frame, (value) => access(search, value, { ref, frame }, 1, then));
  if (head.name === 'data') return evaluateDataRef(search, ref, frame, then);
  const start = head.name === 'input' ? environment.input : frame.values.get(head.name);
  return start === undefined ? search.machine.fail() : access(search, start, { ref, frame }, 1, then);
}
