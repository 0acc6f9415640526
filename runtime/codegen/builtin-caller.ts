import { mayCost, type Value } from '../../values/index.js';
import { callAny, failed } from '../evaluation/builtin-calls.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';

/** Calls a built-in: its operands, then the evaluation. */
export type BuiltinCaller = (...operandsAndEvaluation: never[]) => Value | undefined;

/**
 * A function of its own for each built-in of one to four operands, so that V8 can inline the body.
 * It does as `call1`, `call2` and `callAny` of the VM do.
 */
export function builtinCaller(builtin: LinkedBuiltin): BuiltinCaller {
  const text = callerText(builtin);
  if (text === undefined) return (...all: never[]) => callAny(builtin, all.slice(0, -1), all.at(-1)! as Evaluation);
  const make = new Function('builtin', 'mayCost', 'failed', `"use strict";\n${text}`) as (
    ...values: unknown[]
  ) => BuiltinCaller;
  return make(builtin, mayCost, failed);
}

/** The text of that function; undefined for a built-in that only `callAny` can call. */
export function callerText({
  fixed,
  nondeterministic,
  variadic,
  cost,
  readers,
  strings,
}: LinkedBuiltin): string | undefined {
  if (nondeterministic || variadic || fixed < 1 || fixed > 4) return undefined;
  const operands = ['a', 'b', 'c', 'd'].slice(0, fixed);
  const names = operands.join(', ');
  const lines: string[] = [];
  if (cost !== undefined) {
    // As the VM: of more than two operands each call is counted.
    const may = fixed > 2 ? '' : `if (${operands.map((operand) => `mayCost(${operand})`).join(' || ')}) `;
    lines.push(`${may}evaluation.meter.tick(cost(${names}));`);
  }
  if (strings > 0) {
    const others = operands.slice(0, strings).map((operand) => `typeof ${operand} !== "string"`);
    lines.push(`if ((${others.join(' || ')}) && evaluation.ignoresErrors) return undefined;`);
  }
  const read = operands.map((operand) => `read_${operand}`);
  const values = operands.map((operand, i) =>
    readers[i] === undefined ? operand : `read_${operand}(${operand}, ${i + 1}, evaluation)`,
  );
  return `const { body, cost, readers: [${read.join(', ')}] } = builtin;
return (${names}, evaluation) => {
try {
${lines.join('\n')}
return body(${values.join(', ')}, evaluation);
} catch (error) { return failed(error, builtin, evaluation); }
};`;
}
