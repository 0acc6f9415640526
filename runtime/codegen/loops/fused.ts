/** The JavaScript of statements around an array that is not built, see `fusions.ts`. */
import type { LoweredStmt } from '../../lowering/lowered.js';
import type { Writer } from '../writer.js';

/**
 * Writes a statement of a fusion; false for others. `failure` is written behind a built-in that may
 * be undefined. Beside the result so far in the array's own register, `n` counts the elements.
 * Where an element is not as simple as those before, `y` is an array from then on. It has other
 * elements in place of the first ones, which lead to the same
 * result and count the same work.
 */
export function writeFused(stmt: LoweredStmt, failure: string, w: Writer): boolean {
  const fusion = w.fusions.of(stmt);
  if (fusion === undefined) return false;
  const { register, consumer } = fusion;
  const [r, n, y, z] = [`r${register}`, `n${register}`, `y${register}`, `z${register}`];
  switch (stmt.kind) {
    case 'makeArray':
      w.declare(...(consumer === 'count' ? [r, n] : [r, n, y]), ...(consumer === 'sum' ? [z] : []));
      w.line(`${n} = 0;${consumer === 'count' ? '' : ` ${r} = 0; ${y} = undefined;`}${consumer === 'sum' ? ` ${z} = 0;` : ''}`);
      return true;
    case 'arrayAppend': {
      w.at(stmt.origin);
      w.cutIf(w.undefinedOf(stmt.value));
      w.line(`${w.use('checkElements')}(${n} + 1); ${n}++;`);
      const value = w.operand(stmt.value);
      const general = (element: string) => `(${y} ??= ${w.use('prefixOf')}(${r}, ${element}, ${n} - 1)).push(${value});`;
      // Partial sums are exact while the sum of the sizes is.
      if (consumer === 'sum')
        w.line(
          `if (${y} === undefined && Number.isInteger(${value}) && (${z} += Math.abs(${value})) <= ${Number.MAX_SAFE_INTEGER}) ${r} += ${value}; else ${general('0')}`,
        );
      else if (consumer !== 'count')
        w.line(
          `if (${y} === undefined && typeof ${value} === "number") { if (${n} === 1 || ${value} ${consumer === 'max' ? '>' : '<'} ${r}) ${r} = ${value}; } else ${general(r)}`,
        );
      return true;
    }
    case 'builtin':
      w.at(stmt.origin);
      if (consumer === 'count') w.line(`${w.register(stmt.result)} = ${n};`);
      else {
        w.line(
          `if (${y} === undefined) { ${w.callee('x.meter')}.tick(${n}); t = ${consumer === 'sum' ? r : `${n} === 0 ? undefined : ${r}`}; }`,
        );
        w.builtins.add(stmt.builtin);
        w.line(`else t = ${w.callee(`c${stmt.builtin}`)}(${y}, x.evaluation);`);
        w.line(failure);
        w.line(`${w.register(stmt.result)} = t;`);
      }
      return true;
    default:
      return true;
  }
}
