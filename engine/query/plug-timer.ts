/** A listener for the nanoseconds of each replacement of bindings by their values. */
export type OnPlug = (nanoseconds: number) => void;

/** Times such a replacement, if metrics are on. */
export function timedPlug<T>(onPlug: OnPlug | undefined, replace: () => T): T {
  if (onPlug === undefined) return replace();
  const started = performance.now();
  const result = replace();
  onPlug(Math.round((performance.now() - started) * 1e6));
  return result;
}
