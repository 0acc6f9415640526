/** Rules that define a set or an object, as a whole. */

import type { Rule } from '../../compiler/ast/nodes.js';
import type { CompiledRule } from '../../compiler/resolve/compiled-rule.js';
import { headKeys } from '../../compiler/resolve/head-keys.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import { addTo, compareForObject } from '../collections.js';
import { ObjectBuilder } from '../object-builder.js';
import type { Compiling, DirectRules, Step } from './compiling.js';
import { Chain, linkBody } from './link.js';
import { DirectFrame, type DirectRun } from './run.js';
import type { Scope } from './scope.js';
import { plain } from './terms.js';

const noArguments: readonly Value[] = [];

export class DirectCollection implements DirectRules {
  readonly #compiling: Compiling;
  readonly #document: VirtualDocument;
  readonly #chains = new Map<CompiledRule, Chain>();

  constructor(compiling: Compiling, document: VirtualDocument) {
    this.#compiling = compiling;
    this.#document = document;
  }

  known({ environment }: DirectRun): Value | undefined {
    return environment.answersOf(this.#document).get('')?.value;
  }

  call(): never {
    throw new Error('a collection is no function');
  }

  whole(run: DirectRun, caller: Frame | DirectFrame): Value | undefined {
    const answers = run.environment.answersOf(this.#document);
    const answer = answers.get('');
    if (answer !== undefined) return answer.value;
    const value = this.#evaluate(run, caller);
    answers.set('', { value });
    return value;
  }

  #evaluate(run: DirectRun, caller: Frame | DirectFrame): Value {
    const isSet = this.#document.kind === 'set';
    const frame = new DirectFrame(run, this.#document, caller, this.#document.rules[0]!.rule.loc);
    const set = new RegoSet();
    const object = new ObjectBuilder();
    if (isSet) frame.value = set;
    else frame.object = object;
    run.enter(this.#document);
    try {
      for (const rule of this.#candidates(run, isSet)) this.#chainOf(rule, isSet).evaluate(frame, noArguments);
    } catch (error) {
      throw run.failed(frame, error);
    }
    run.leave();
    return isSet ? set : object.value;
  }

  #candidates({ environment }: DirectRun, isSet: boolean): readonly CompiledRule[] {
    const { index } = this.#compiling.program;
    if (isSet) return index.candidatesOf(this.#document, environment);
    return index.rulesOf(this.#document).toSorted(compareForObject);
  }

  #chainOf(compiled: CompiledRule, isSet: boolean): Chain {
    let chain = this.#chains.get(compiled);
    if (chain === undefined) {
      const end = (rule: Rule, scope: Scope) => (isSet ? member(rule, scope) : this.#entry(compiled, rule, scope));
      chain = new Chain(compiled.rule, (rule, scope) => linkBody(this.#compiling, rule, [], scope, () => end(rule, scope)));
      this.#chains.set(compiled, chain);
    }
    return chain;
  }

  #entry({ module, rule: first }: CompiledRule, rule: Rule, scope: Scope): Step {
    const keys = headKeys(module, first.head, this.#document.path.length).map((key) => plain(key, scope));
    const value = plain(rule.head.value ?? rule.head.key!, scope);
    return (frame) => {
      frame.hasSolution = true;
      frame.at = rule.loc;
      const path = keys.map((key) => key(frame));
      addTo(frame.object!, rule, path, value(frame));
      return false;
    };
  }
}

function member({ head }: Rule, scope: Scope): Step {
  const key = plain(head.key!, scope);
  return (frame) => {
    frame.hasSolution = true;
    (frame.value as RegoSet).add(key(frame));
    return false;
  };
}
