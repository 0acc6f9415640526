/** The types that the values of options must have, by name. A number is a limit: not negative. */
export type OptionTypes<Options> = Readonly<
  Record<keyof Options, 'number' | 'boolean' | 'function' | 'object' | 'bigint' | 'string' | 'false or object'>
>;

/**
 * Throws the error that `refuse` makes for an unknown option, or a value of a wrong type: a limit
 * that is misspelt must not be no limit.
 */
export function checkOptionTypes<Options extends object>(
  options: Options,
  types: OptionTypes<Options>,
  refuse: (message: string) => Error,
): void {
  if (typeof options !== 'object' || options === null) throw refuse('options are no object');
  for (const name in options) {
    const value: unknown = options[name];
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) throw refuse(`there is no option ${name}; options are ${Object.keys(types).join(', ')}`);
    if (value === undefined) continue;
    const isType = type === 'false or object' ? value === false || typeof value === 'object' : typeof value === type;
    const fits = isType && value !== null && (type !== 'number' || (value as number) >= 0);
    if (fits) continue;
    // A text may be a secret: a key in the place of an object with keys.
    const shown = typeof value === 'string' ? 'a string' : String(value);
    throw refuse(`option ${name} must be ${type === 'object' ? 'an' : 'a'} ${type}, not ${shown}`);
  }
}
