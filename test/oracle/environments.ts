/** Applies `with` modifiers to an environment. */

import type { Term, With } from '../../compiler/ast/nodes.js';
import type { Value } from '../../values/value.js';
import { replacedAt } from './collections.js';
import { BadPath, type Bindings, type Environment, type Evaluation } from './evaluation.js';
import type { Functions } from './functions.js';
import { operatorName } from './names.js';

/**
 * The environments under some modifiers: one for each combination of their values, which are
 * evaluated in the enclosing environment.
 */
export function environmentsOf(
  modifiers: readonly With[],
  environment: Environment,
  bindings: Bindings,
  evaluation: Evaluation,
  functions: Functions,
): readonly { readonly environment: Environment; readonly bindings: Bindings }[] {
  if (modifiers.length === 0) return [{ environment, bindings }];
  const isName = modifiers.map(({ target, value }) => functions.isFunction(termsOf(target)) && namesRule(value, evaluation, functions));
  const valued = modifiers.filter((_, i) => !isName[i]);
  const found = evaluation.combinations(
    valued.map(({ value }) => value),
    environment,
    bindings,
  );
  if (found.length > 1) evaluation.markUnordered();
  return found.map(({ values, bindings: next }) => {
    let at = 0;
    const changed = modifiers.reduce(
      (before, modifier, i) =>
        isName[i] ? replacedFunction(before, modifier) : replaced(before, modifier.target, values[at++]!, functions),
      environment,
    );
    return { environment: changed, bindings: next };
  });
}

function termsOf(term: Term): readonly Term[] {
  return term.type === 'ref' ? term.terms : [term];
}

/**
 * Whether a function's replacement is named rather than evaluated: functions and rules are
 * evaluated only at the call.
 */
function namesRule(value: Term, evaluation: Evaluation, functions: Functions): boolean {
  const terms = termsOf(value);
  const [head, ...path] = terms;
  if (head?.type !== 'var') return false;
  if (functions.isFunction(terms)) return true;
  if (head.name !== 'data') return false;
  let node: typeof evaluation.program.root | undefined = evaluation.program.root;
  for (const key of path) node = key.type === 'string' ? node?.children.get(JSON.stringify(key.value)) : undefined;
  return node !== undefined;
}

function replacedFunction(environment: Environment, { target, value }: With): Environment {
  return { ...environment, mocks: new Map(environment.mocks).set(operatorName(termsOf(target)), { path: termsOf(value) }) };
}

function replaced(environment: Environment, target: Term, value: Value, functions: Functions): Environment {
  const terms = termsOf(target);
  const [head, ...rest] = terms;
  if (functions.isFunction(terms)) return { ...environment, mocks: new Map(environment.mocks).set(operatorName(terms), { value }) };
  const path = rest.map((term) => {
    if (term.type !== 'string') throw new BadPath('a path of other keys than strings');
    return term.value;
  });
  if (head?.type === 'var' && head.name === 'input') return { ...environment, input: replacedAt(environment.input, path, value) };
  return {
    ...environment,
    data: replacedAt(environment.data, path, value),
    replaced: new Set(environment.replaced).add(JSON.stringify(path)),
  };
}
