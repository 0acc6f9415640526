/**
 * Sets a key of a plain object under construction. Assigning to `__proto__` would set the prototype
 * instead.
 */
export function setOwn<T>(object: { readonly [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as { [key: string]: T })[key] = value;
}
