/** Results that the only caller keeps in variables: nothing has to forget them. */
import type { LoweredOf } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';

/** A test: only results for scalars are kept. */
export const isScalarText = (text: string) =>
  `typeof ${text} === "string" || typeof ${text} === "number" || typeof ${text} === "boolean"`;

const scalarKinds: ReadonlySet<string | undefined> = new Set(['string', 'number', 'boolean']);

/**
 * Writes a call whose result is `t`. Two arguments and their results are in variables, others in
 * `ks`: most evaluations call a function with few.
 * @param call gives `t` the result
 */
export function writeOwnCall({ func, args }: LoweredOf<'call'>, call: string, w: CodeWriter): void {
  // The first two are the documents.
  const operand = args[2]!;
  const argument = w.operand(operand);
  const entry = (letter: string) => ({ argument: `k${letter}${func}`, result: `v${letter}${func}` });
  const [first, second] = [entry('a'), entry('b')];
  const others = `ks${func}`;
  w.declare(first.argument, first.result, second.argument, second.result, others);
  const isSame = w.undefinedOf(operand).length > 0 ? `${argument} !== undefined && ` : '';
  const keep = [first, second].map(
    (one) => `if (${one.argument} === undefined) { ${one.argument} = ${argument}; ${one.result} = t; }`,
  );
  keep.push(
    `(${others} ??= new ${w.use('ArgumentResults')}()).set(${argument}, t === undefined ? ${w.use('noValue')} : t);`,
  );
  w.line(`if (${isSame}${first.argument} === ${argument}) t = ${first.result};`);
  w.line(`else if (${isSame}${second.argument} === ${argument}) t = ${second.result};`);
  w.line(`else if (${others} === undefined || (t = ${others}.get(${argument})) === undefined) {`);
  w.line(call);
  const isKept = scalarKinds.has(w.kind(operand)) ? '' : `if (${isScalarText(argument)}) `;
  w.line(`${isKept}{ ${keep.join(' else ')} }`);
  w.line(`} else if (t === ${w.use('noValue')}) t = undefined;`);
}

/** Writes a call of a rule whose result is `t`: the first call keeps it, also where it has none. */
export function writeOwnRule({ func }: LoweredOf<'call'>, call: string, w: CodeWriter): void {
  const [known, none] = [`u${func}`, w.use('noValue')];
  w.declare(known);
  w.line(`if ((t = ${known}) === undefined) ${known} = (t = ${call}) === undefined ? ${none} : t;`);
  w.line(`else if (t === ${none}) t = undefined;`);
}
