/** Keys of values as paths. */

/** The keys of `input["a"]["b"]`, or of a parameter; undefined for other values. */
export function keyPath(key: string): readonly string[] | undefined {
  const head = /^(?:input|argument \d+)/.exec(key)?.[0];
  if (head === undefined) return undefined;
  const parts = [...key.slice(head.length).matchAll(/\[("(?:[^"\\]|\\.)*")\]/g)];
  if (parts.reduce((length, [whole]) => length + whole.length, head.length) !== key.length) return undefined;
  return [head, ...parts.map(([, name]) => JSON.parse(name!) as string)];
}
