/** `with` modifiers: an expression is evaluated in an environment with replacements. */

import type { RefTerm, Term, With } from '../../compiler/index.js';
import { badPath, functionName, isRoot, replacedPath } from '../../compiler/index.js';
import { withValueAt } from '../../runtime/index.js';
import type { Frame } from './bindings.js';
import type { QueryMock } from './environment.js';
import type { Next, Step } from './machine.js';
import { documentNamed, functionNamed } from './package-documents.js';
import { queryConflict } from './query-errors.js';
import type { Search } from './search.js';
import { termValue } from './term-value.js';

/** @param evaluate evaluates the expression without its modifiers */
export function evaluateWith(
  search: Search,
  modifiers: readonly With[],
  frame: Frame,
  evaluate: (found: Step) => Next,
  then: Step,
): Next {
  const { machine } = search;
  const outer = machine.environment;
  let { input, data } = outer;
  const mocks = new Map<string, QueryMock>();
  const replaced: (readonly string[])[] = [];
  for (const { target, value } of modifiers) {
    const ref = refOf(target);
    const name = nameOfFunction(search, ref);
    if (name !== undefined) {
      mocks.set(name, mockOf(search, value, frame));
      continue;
    }
    const path = replacedPath(ref);
    if (path === undefined) throw queryConflict(badPath, frame, frame.at);
    // The ref of a function: it has no value.
    if (value.type === 'ref') return machine.fail();
    const [head] = ref.terms;
    if (isRoot(head, 'input')) input = withValueAt(input, path, termValue(value, frame));
    else {
      data = withValueAt(data, path, termValue(value, frame));
      replaced.push(path);
    }
  }
  machine.environment = outer.with({ input, data }, mocks, replaced);
  return evaluate(() => {
    machine.environment = outer;
    return then;
  });
}

function refOf(target: Term): RefTerm {
  return target.type === 'ref' ? target : { type: 'ref', loc: target.loc, terms: [target] };
}

/** Undefined for what is no function. */
function nameOfFunction({ program }: Search, ref: RefTerm): string | undefined {
  const [head] = ref.terms;
  if (head?.type !== 'var' || head.name === 'input') return undefined;
  const name = functionName(ref);
  if (name === undefined) return undefined;
  const isFunction = head.name === 'data' ? functionNamed(program.root, ref) !== undefined : program.builtins.has(name);
  return isFunction ? name : undefined;
}

/** A function or a rule by its name, or a value. */
function mockOf({ program }: Search, value: Term, frame: Frame): QueryMock {
  const ref = value.type === 'ref' || value.type === 'var' ? refOf(value) : undefined;
  const head = ref?.terms[0];
  if (ref !== undefined && head?.type === 'var' && !frame.values.has(head.name)) {
    const isRule = head.name === 'data' && documentNamed(program.root, ref) !== undefined;
    if (isRule || program.builtins.has(functionName(ref) ?? '')) return { type: 'ref', ref };
  }
  return { type: 'value', value: termValue(value, frame) };
}
