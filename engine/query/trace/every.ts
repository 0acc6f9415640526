/** `every` with its events: a query over the domain, with a query of the body for each element. */

import { callExpr, type EveryExpr, type Expr, operatorRef, refTerm } from '../../../compiler/index.js';
import { isArray, isObject, isSet } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { elementAt, elementKeys } from '../refs/elements.js';
import type { Traced } from './traced.js';
import type { TracedPlace } from './traced-machine.js';

const generators = new WeakMap<EveryExpr, Expr>();

/** The expression that binds key and value to those of an element. */
function generatorOf(expr: EveryExpr): Expr {
  let generator = generators.get(expr);
  if (generator === undefined) {
    const { domain, key, value, loc } = expr;
    generator = callExpr(loc, operatorRef(loc, 'eq'), [
      refTerm(loc, key === undefined ? [domain] : [domain, key]),
      value,
    ]);
    generators.set(expr, generator);
  }
  return generator;
}

export function tracedEvery(search: Traced, expr: EveryExpr, frame: Frame, found: Step): Next {
  const { machine } = search;
  const outer = machine.place;
  const query = search.newQuery(outer.query);
  const whole: TracedPlace = { ...outer, query };
  const { domain, key, value, body } = expr;
  const elements: TracedPlace = { ...whole, node: { type: 'expr', expr: generatorOf(expr), index: 0 } };
  machine.place = whole;
  search.report('enter');
  machine.place = elements;
  search.report('eval');
  return search.operand(domain, frame, (collection) => {
    const isCollection = isArray(collection) || isObject(collection) || isSet(collection);
    const keys = isCollection ? elementKeys(collection) : [];
    let holdsForAll = isCollection;
    let i = 0;
    const next = (): Next => {
      const at = keys[i++];
      if (at === undefined) return finish();
      machine.push(next);
      machine.place = elements;
      if (key !== undefined) machine.bind(frame, key.name, at);
      machine.bind(frame, value.name, elementAt(collection, at));
      machine.onBacktrack('expr', () => search.report('redo'));
      // After a counterexample the reference only goes over the other elements.
      if (!holdsForAll) return machine.fail();
      machine.place = whole;
      machine.onBacktrack('expr', () => search.report('redo'));
      let holds = false;
      const last = machine.push(() => {
        holdsForAll = holds;
        return machine.fail();
      });
      const isTrue = (): Next => {
        holds = true;
        return machine.fail();
      };
      return search.inner(body, frame, isTrue, last);
    };
    const finish = (): Next => {
      machine.place = whole;
      if (!holdsForAll) {
        search.report('fail');
        return machine.fail();
      }
      machine.onBacktrack('expr', () => search.report('exit'));
      return found;
    };
    machine.place = elements;
    if (keys.length === 0) search.report('fail');
    return next;
  });
}
