/** The JavaScript of statements around an array that is not built, see `fusions.ts`. */
import type { LoweredStmt } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import type { Fusion } from './fusions.js';

/**
 * Writes a statement of a fusion; false for others. `failure` is written behind a built-in that may
 * be undefined. `n` counts the elements. The sum so far is in the array's own register. At the
 * first element that is no whole number, `y` becomes an array from then on. It has other elements
 * in place of the first ones, which lead to the same sum and count the same work.
 */
export function writeFused(stmt: LoweredStmt, failure: string, w: CodeWriter): boolean {
  const fusion = w.fusions.of(stmt);
  if (fusion === undefined) return false;
  const { consumer } = fusion;
  const { r, n, y, z } = namesOf(fusion, w);
  switch (stmt.kind) {
    case 'makeArray':
      if (consumer === 'count') w.declare(n);
      else w.declare(r, n, y, z);
      w.line(fusedStart(fusion, w));
      return true;
    case 'inOrder':
      return false;
    case 'arrayAppend': {
      w.at(stmt.origin);
      w.cutIf(w.undefinedOf(stmt.value));
      w.line(`${w.use('checkElements')}(${n} + 1); ${n}++;`);
      if (consumer === 'count') return true;
      const value = w.operand(stmt.value);
      // Partial sums are exact while the sum of the sizes is.
      const isExact = `(${z} += Math.abs(${value})) <= ${Number.MAX_SAFE_INTEGER}`;
      const other = `(${y} ??= ${w.use('prefixOf')}(${r}, 0, ${n} - 1)).push(${value});`;
      w.line(`if (${y} === undefined && Number.isInteger(${value}) && ${isExact}) ${r} += ${value}; else ${other}`);
      return true;
    }
    case 'builtin':
      w.at(stmt.origin);
      if (consumer === 'count') {
        w.line(`${w.register(stmt.result)} = ${n};`);
        return true;
      }
      w.builtins.add(stmt.builtin);
      w.line(`if (${y} === undefined) { ${w.callee('x.meter')}.tick(${n}); t = ${r}; }`);
      w.line(`else t = ${w.callee(`c${stmt.builtin}`)}(${y}, x.evaluation);`);
      w.line(failure);
      w.line(`${w.register(stmt.result)} = t;`);
      return true;
    default:
      return true;
  }
}

/** The values of a fusion without elements. */
export function fusedStart(fusion: Fusion, w: CodeWriter): string {
  const { r, n, y, z } = namesOf(fusion, w);
  return `${n} = 0;${fusion.consumer === 'count' ? '' : ` ${r} = 0; ${y} = undefined; ${z} = 0;`}`;
}

/** The variables of a fusion. A rule in the place of its call has others than its caller. */
function namesOf({ register }: Fusion, w: CodeWriter): Record<'r' | 'n' | 'y' | 'z', string> {
  const number = w.number(register);
  return { r: `r${number}`, n: `n${number}`, y: `y${number}`, z: `z${number}` };
}
