/** Built-ins that the caller of `loadPolicy` brings: functions of JSON values, by name. */

import type { Builtin, BuiltinContext, JsonFault, Value } from '../../../values/index.js';
import { any, arg, jsonValue, keyText, placeOf, plainCopy } from '../../../values/index.js';

/**
 * A function of JSON values: sets are arrays. Where it answers undefined, the call is undefined. It
 * may answer a promise if the policy is evaluated by `evaluateAsync`.
 */
// biome-ignore lint/suspicious/noExplicitAny: functions with operands of any types
export type CustomBuiltin = (...operands: any[]) => unknown;

/** Built-ins by name: `{ 'acme.owner': (id) => owners[id] }`. */
export type CustomBuiltins = Readonly<Record<string, CustomBuiltin>>;

/** A row that takes any number of operands, as WebAssembly calls it. */
export function customRow(name: string, custom: CustomBuiltin): Builtin {
  const body = (operands: readonly Value[], context: BuiltinContext) => answer(name, custom, operands, context);
  return { name, args: [], variadic: any, result: any, nondeterministic: true, body };
}

/** A row for the compiler, with a number of operands. */
export function customRowOf(name: string, custom: CustomBuiltin, operands: number): Builtin {
  const body = (...given: unknown[]) =>
    answer(name, custom, given.slice(0, operands) as Value[], given[operands] as BuiltinContext);
  return {
    name,
    args: Array.from({ length: operands }, () => arg('', any)),
    result: any,
    nondeterministic: true,
    body,
  };
}

function answer(
  name: string,
  custom: CustomBuiltin,
  operands: readonly Value[],
  context: BuiltinContext,
): Value | undefined {
  const key = `${name}${keyText(operands)}`;
  // Called before in this evaluation, which began again when the promise was fulfilled.
  const promised = context.memory.get(key) as Promise<unknown> | undefined;
  const answered = promised ?? custom(...operands.map(plainCopy));
  if (!isPromise(answered)) return asValue(name, answered);
  context.memory.set(key, answered);
  // Evaluations that cannot wait leave it alone.
  answered.catch(() => undefined);
  return asValue(
    name,
    context.wait(key, () => answered),
  );
}

function isPromise(answered: unknown): answered is Promise<unknown> {
  return typeof (answered as { then?: unknown } | null | undefined)?.then === 'function';
}

function asValue(name: string, answered: unknown): Value | undefined {
  return answered === undefined ? undefined : jsonValue(answered, (found) => notJson(name, found));
}

function notJson(name: string, { path, problem }: JsonFault): Error {
  return new Error(`the ${placeOf('result', path)} of ${name} ${problem}`);
}
