/**
 * The names of built-ins' results, which errors about types show: as far as the reference's
 * documentation and the recorded cases tell them.
 */

const byName: Readonly<Record<string, string>> = {
  ...named('flattened', 'array.flatten'),
  ...named('n', 'count', 'max', 'min', 'product', 'sort', 'sum'),
  ...named('num', 'to_number'),
  ...named('output', 'concat', 'format_int', 'indexof', 'indexof_n'),
  ...named('result', 'contains', 'crypto.hmac.equal', 'endswith', 'startswith'),
  ...named('rev', 'array.reverse'),
  ...named('slice', 'array.slice'),
  ...named('y', 'crypto.hmac.md5', 'crypto.hmac.sha1', 'crypto.hmac.sha256', 'crypto.hmac.sha512', 'lower', 'upper'),
  ...named('z', 'array.concat', 'bits.and', 'bits.lsh', 'bits.negate', 'bits.or', 'bits.rsh', 'bits.xor'),
  ...named('z', 'div', 'minus', 'mul', 'plus', 'rem'),
};

function named(result: string, ...builtins: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(builtins.map((builtin) => [builtin, result]));
}

/** Undefined where it is not known. */
export function resultName(builtin: string): string | undefined {
  return Object.hasOwn(byName, builtin) ? byName[builtin] : undefined;
}
