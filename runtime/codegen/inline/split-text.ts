/** The JavaScript of statements around a split whose array is not built, see `splits.ts`. */
import type { LoweredStmt } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import { callText } from './builtin-texts.js';

/** Longer texts are split at once. */
const maxLength = 256;

/**
 * Writes a statement of such a split; false for others. The text is in a variable beside the
 * register, undefined where the array was built.
 */
export function writeSplit(stmt: LoweredStmt, failure: string, w: CodeWriter): boolean {
  const split = w.hasConstants ? w.splits.of(stmt) : undefined;
  if (split === undefined || stmt.kind === 'move') return split !== undefined;
  const { register, delimiter, isCounted, call } = split;
  const [text, parts, by] = [`t${w.number(register)}`, w.register(register), JSON.stringify(delimiter)];
  if (stmt === call) {
    // A call of `split` has two operands.
    const source = call.args[0]!;
    const operand = w.operand(source);
    w.at(call.origin);
    w.cutIf(w.undefinedOf(source));
    w.declare(text);
    const count = isCounted ? `${w.use('countParts')}(${operand}, ${by})` : '0';
    w.line(
      `if (typeof ${operand} === "string" && ${operand}.length <= ${maxLength}) { ${text} = ${operand}; ${parts} = ${count}; }`,
    );
    w.line(`else { t = ${callText(call.builtin, [operand, by], w)}; ${failure} ${text} = undefined; ${parts} = t; }`);
  } else if (stmt.kind === 'dot') {
    const key = w.operand(stmt.key);
    w.at(stmt.origin);
    const part = `${w.use('partAt')}(${text}, ${by}, ${parts}, ${key})`;
    w.cutIf([
      ...w.undefinedOf(stmt.key),
      `(t = ${text} === undefined ? ${w.use('valueAt')}(${parts}, ${key}) : ${part}) === undefined`,
    ]);
    w.line(`${w.register(stmt.target)} = t;`);
  } else if (stmt.kind === 'builtin') {
    w.line(`${w.register(stmt.result)} = ${text} === undefined ? ${parts}.length : ${parts};`);
  }
  return true;
}
