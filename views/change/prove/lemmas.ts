/**
 * Results of built-ins that the solver does not know, told to it where it needs them: for the
 * operands of a model, by the engine.
 */

import { type PlainObject, parseJson, RegoSet, setOwn, type Value } from '../../../values/index.js';
import type { Formula } from './formulas.js';
import type { Model } from './model.js';
import type { SymbolicInput } from './symbolic-input.js';
import { type FreeCall, known, type SymbolicSettings, type SymbolicValue } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

interface OperandTerm {
  readonly type: 'number' | 'string';
  readonly term: string;
}

/** Names under which a model has guards and terms. */
export interface ModelNames {
  readonly guardName: (guard: Formula) => string;
  readonly termName: (term: string) => string | undefined;
}

/** The terms and guards in operands of free calls, whose values a model must tell. */
export function operandFormulas({ freeCalls }: SymbolicSettings): {
  readonly terms: readonly OperandTerm[];
  readonly guards: readonly Formula[];
} {
  const terms = new Map<string, OperandTerm>();
  const guards = new Set<Formula>();
  const add = (value: SymbolicValue): void => {
    if (value.type === 'number' || value.type === 'string')
      terms.set(value.term, { type: value.type, term: value.term });
    else if (value.type === 'truth') guards.add(value.formula);
    else if (value.type === 'array' || value.type === 'set' || value.type === 'object')
      for (const member of value.members) {
        guards.add(member.guard);
        add(member.value);
        if ('key' in member) add(member.key as SymbolicValue);
      }
    else if (value.type === 'overlaid') {
      add(value.base);
      add(value.value);
    }
  };
  for (const { operands } of freeCalls.values()) for (const operand of operands) add(operand);
  return { terms: [...terms.values()], guards: [...guards] };
}

/** The result of a call for the operands that a model has; none where that is not known. */
export function lemmaOf(
  { name, operands, result }: FreeCall,
  model: Model,
  names: ModelNames,
  { formulas: f, input, comparing }: SymbolicSettings,
  resultOf: (name: string, operands: readonly Value[]) => { readonly value?: Value } | undefined,
): readonly Formula[] {
  const values = operands.map((operand) => valueIn(operand, model, names, input));
  if (values.some((value) => value === undefined)) return [];
  const real = resultOf(name, values as readonly Value[]);
  if (real === undefined) return [];
  try {
    const same = operands.map((operand, i) => comparing.equals(operand, known(values[i]!)));
    const part: SymbolicValue = { type: 'part', part: result };
    const told = real.value === undefined ? input.isKind(result, 'none') : comparing.equals(part, known(real.value));
    return [f.or(f.not(f.and(...same)), told)];
  } catch (error) {
    if (error instanceof Unprovable) return [];
    throw error;
  }
}

/** The value that a model gives; undefined where there is none. */
function valueIn(value: SymbolicValue, model: Model, names: ModelNames, input: SymbolicInput): Value | undefined {
  const inner = (one: SymbolicValue) => valueIn(one, model, names, input);
  const isThere = (guard: Formula) => guard.op === 'true' || model.get(names.guardName(guard)) === 1;
  switch (value.type) {
    case 'known':
      return value.value;
    case 'part':
      return input.valueOf(value.part, model);
    case 'number': {
      const found = model.get(names.termName(value.term) ?? '');
      return found === undefined ? undefined : parseJson(String(found));
    }
    case 'string':
      return String(model.get(names.termName(value.term) ?? '') ?? '');
    case 'truth':
      return isThere(value.formula);
    case 'overlaid':
      return undefined;
    default: {
      const members = value.members.filter(({ guard }) => isThere(guard));
      const values = members.map((member) => inner(member.value));
      if (values.some((one) => one === undefined)) return undefined;
      if (value.type === 'array') return values as readonly Value[];
      if (value.type === 'set') return new RegoSet(values as readonly Value[]);
      const object: PlainObject = {};
      for (const [i, member] of members.entries()) {
        const key = inner((member as unknown as { readonly key: SymbolicValue }).key);
        if (typeof key !== 'string') return undefined;
        setOwn(object, key, values[i]!);
      }
      return object;
    }
  }
}
