/** Words of random policies. */

/** Numbers in all forms that they can be written in. */
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '1.0',
  '1.5',
  '0.10',
  '1e2',
  '1E2',
  '15e-1',
  '-0',
  '0.0',
  '1e21',
  '12345678901234567890',
  '1e-7',
  '2.50',
  '1e0',
  '-0.0',
  '1e400',
  '-1e400',
  '9007199254740993',
  '100000000000000000000000000001',
  '0.1',
  '0.30000000000000004',
];

/** Texts, those that JavaScript and JSON treat apart among them. */
export const strings = [
  '"a"',
  '"b"',
  '"k"',
  '"x"',
  '"a"',
  '"b"',
  '""',
  '"1"',
  '"0"',
  '"é"',
  '"\\u0000"',
  '"😀"',
  '"\\ud83d\\ude00"',
  '"__proto__"',
  '"constructor"',
  '"a b"',
  '"a/b"',
  '"~0"',
  '"A"',
  '"ß"',
  '"\\u2028"',
  '`a"b`',
  '"%d"',
  '"\\\\"',
  '"\\ud83d"',
  '"a\\ude00"',
  '"1.0"',
  '"1e0"',
  '"null"',
];

const others = ['true', 'false', 'null', '[1, 2]', '{"a": 1}', '{1, "a"}', '[]', '{}', 'set()', '{"a", "b"}', '{"a": 1, 1: "b"}', '[[1]]'];

/** The plain ones come more often, so that values meet. */
export const constants: readonly string[] = [
  ...Array<string[]>(6).fill(['0', '1', '2', '"a"', '"b"', '"k"', 'true', 'false', 'null', '[1, 2]', '{"a": 1}', '{1, "a"}', '[]']).flat(),
  ...numbers,
  ...strings,
  ...others,
];

/** Keys of rule heads that are constants, of every kind. */
export const headKeys: readonly string[] = [
  ...['.a', '.b', '.a', '.b', '["c"]', '["1"]', '["x y"]', '["a.b"]', '["é"]', '.if', '.input', '.__proto__', '[""]'],
  ...['[1]', '[1]', '[1.0]', '[1e0]', '[0]', '[-0]', '[-1]', '[2.5]', '[2.50]', '[true]', '[false]', '[null]'],
  ...['[[1, "a"]]', '[[1.0]]', '[{1}]', '[{"a": 1}]', '[[]]'],
];

/** Parts of the documents. */
export const documents: readonly string[] = [
  'input',
  'input.a',
  'input.b',
  'input.a.b',
  'input.n',
  'input.o.a',
  'in_a',
  'input.u',
  'input.cs',
  'input.p[0]',
  'data.d',
  'data.d.a',
  'data.d.b[0]',
  'data.d.names',
  'data.d.rows',
  'input.slot',
  'data.d.blocked',
  'data.d.none',
];

/** Parts of them that are mostly collections. */
export const collections: readonly string[] = [
  'input.a',
  'input.n',
  'input.o',
  'input.p',
  'input.cs',
  'input.u',
  'data.d.b',
  'data.d.names',
  'data.d.rows',
  'data.d.blocked',
];

/** Keys that are known at run time alone. */
export const slots: readonly string[] = [
  'input.slot',
  'input.slot',
  'input.slot',
  'input.n[_]',
  'input.n[0]',
  'input.b',
  'data.d.slots[_]',
  'data.d.slots[0]',
  '1.0',
  '1e0',
  '"01"',
];

/** Base documents that have positions, names, and names that look like positions. */
export const places: readonly string[] = [
  'data.d.blocked',
  'data.d.blocked',
  'data.d.names',
  'data.d.rows',
  'data.d.b',
  'data.d',
  'input.o',
];

/** Members of `input.u`, of `data.d.names` and of the rows of `input.cs` and `data.d.rows`. */
export const members: readonly string[] = ['a', 'l', 'q', 'r'];

/**
 * Calls of built-ins; `@` is a term, `#` one that is mostly a collection, `$` mostly a text.
 */
export const calls: readonly string[] = [
  'count(#)',
  'count(#)',
  'sum(#)',
  'product(#)',
  'max(#)',
  'min(#)',
  'sort(#)',
  'is_array(@)',
  'is_object(@)',
  'type_name(@)',
  'type_name(@)',
  'object.get(#, @, @)',
  'object.get(#, [@, @], @)',
  'object.keys(#)',
  'object.union(#, #)',
  'object.remove(#, [@])',
  'object.filter(#, {@})',
  'array.concat(#, #)',
  'array.reverse(#)',
  'array.slice(#, 0, @)',
  'union({@, @})',
  'intersection({@, @})',
  'numbers.range(@, 3)',
  'concat($, #)',
  'sprintf("%v|%s|%d", [@, @, @])',
  'upper($)',
  'lower($)',
  'startswith($, $)',
  'contains($, $)',
  'indexof($, $)',
  'substring($, 0, 1)',
  'split($, $)',
  'replace($, $, "b")',
  'reverse($)',
  'strings.count($, $)',
  'trim($, $)',
  'to_number(@)',
  'format_int(@, 10)',
  'abs(@)',
  'round(@)',
  'json.marshal(@)',
  'json.unmarshal($)',
  'json.filter(#, ["a", "b/a"])',
  'json.remove(#, ["a", "1"])',
  'json.patch(#, [{"op": "add", "path": "/a", "value": @}])',
  'glob.match($, [], $)',
  'regex.match("^a|b$", $)',
  'base64.encode($)',
  'urlquery.encode($)',
  'crypto.md5($)',
  'graph.reachable(#, {@})',
  'json.patch(#, [{"op": "replace", "path": ["a", @], "value": @}])',
  'json.patch({"a": #}, [{"op": "remove", "path": ["a", @]}])',
  'json.patch({"a": #}, [{"op": "add", "path": "/a/1", "value": @}])',
  'json.filter({"a": #}, [["a", @]])',
  'json.remove({"a": #}, [["a", @]])',
  'json.patch({"a": #}, [{"op": "add", "path": "b", "value": @}, {"op": "add", "path": [@], "value": @}])',
  'json.patch({"a": {"b": @}}, [{"op": "add", "path": "a/c", "value": 1}, {"op": "add", "path": ["a", @], "value": @}])',
  // Bytes that are no UTF-8.
  'base64.decode("/2E=")',
  'concat($, [base64.decode("/w=="), $])',
  'urlquery.decode("%ff")',
  '{base64.decode("/w=="): @}',
  'yaml.marshal(@)',
  'yaml.unmarshal($)',
  'sprintf("%d %v %s %e %g", [@, @, @, @, @])',
  'sprintf("%5.2f|%x|%q", [@, @, @])',
  'bits.and(@, 3)',
  'object.subset(#, #)',
  'object.union_n([#, #])',
  'ceil(@)',
  'floor(@)',
  'strings.reverse($)',
  'trim_space($)',
  'regex.replace($, "a|b", "x")',
  'regex.find_n("[a-b]", $, 2)',
  'json.is_valid($)',
  'hex.encode($)',
];

/** Functions that `with` may replace, all of one operand. */
export const replaceable: readonly string[] = ['count', 'sum', 'count', 'upper', 'type_name', 'is_array', 'json.marshal', 'max'];

/** Targets of `with` in the documents, paths with numbers among them. */
export const targets: readonly string[] = [
  'input',
  'input',
  'input.a',
  'input.a.b',
  'input.u.l',
  'input.cs',
  'input.p[0]',
  'input.cs[0].l',
  'input["a"].b',
  'input.n[1]',
  'data.d',
  'data.d.a',
  'data.d.b[0]',
  'data.d.names',
  'data.new.x',
  'input.slot',
  'input.cs[1]',
  'input.o[1]',
  'data.d.rows[0].l',
  'data.d.blocked["1"]',
  'data.d.blocked[1]',
  'data.d.slots[0]',
  'input[true]',
];

/** A member or key with two parts. */
export function recordOf(part: string, label: string): string {
  return `{"m": ${part}, "f": ${label}}`;
}

export function pairOf(part: string, label: string): string {
  return `[${label}, ${part}]`;
}
