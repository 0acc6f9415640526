/** Results and documents as the pages show and read them. */
import { captureMark } from '../../../compiler/index.js';
import type { ObjectValue, PlainObject, Value } from '../../../values/index.js';
import { isObject, objectGet, objectSize, parseJson, sortedEntries, toIndentedJson } from '../../../values/index.js';

/** The document of a JSON text; undefined for an empty text. */
export function readDocument(name: string, text: string): Value | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * A plan of a decision binds `result` alone, which is then shown without its name. Of a query
 * without variables the value of the last expression is shown.
 */
export function resultText(results: readonly Value[]): string {
  const [only] = results;
  if (results.length === 1 && only !== undefined && isObject(only) && objectSize(only) === 1) {
    const decision = objectGet(only, 'result');
    if (decision !== undefined) return toIndentedJson(decision);
  }
  const solutions = results.map(solutionOf);
  const bindings = solutions.map(({ bound }) => bound);
  if (bindings.some((bound) => Object.keys(bound).length > 0)) return toIndentedJson(bindings);
  const values = solutions.map(({ value }) => value);
  return toIndentedJson(values.length === 1 ? values[0]! : values);
}

/** The bindings of a solution, and the value of the query's last expression. */
function solutionOf(result: Value): { readonly bound: PlainObject; readonly value: Value } {
  const all = [...sortedEntries(result as ObjectValue)] as readonly (readonly [string, Value])[];
  const [values, bound] = [true, false].map((wanted) =>
    all.filter(([name]) => name.startsWith(captureMark) === wanted),
  );
  const positions = new Map(values!.map(([name, value]) => [Number(name.slice(captureMark.length)), value]));
  return { bound: Object.fromEntries(bound!), value: positions.get(Math.max(...positions.keys())) ?? true };
}

/** The code and the message of an error. */
export function describe(problem: unknown): string {
  const { code, message } = problem as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? `${code}: ${String(message)}` : String(message ?? problem);
}
