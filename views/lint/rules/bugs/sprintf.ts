/** The verbs of formats for `sprintf`. */

const verb = /%(%|[#+\- 0]*(?:\[(\d+)\])?(\*|\d+)?(?:\.(?:\[(\d+)\])?(\*|\d+)?)?(?:\[(\d+)\])?[a-zA-Z])/g;

/** Whether a format takes more or fewer values than there are. */
export function missingArguments(format: string, count: number): boolean {
  let next = 0;
  let most = 0;
  let isIndexed = false;
  const take = (index: string | undefined): void => {
    if (index !== undefined) isIndexed = true;
    next = index === undefined ? next + 1 : Number(index);
    most = Math.max(most, next);
  };
  for (const [, rest, first, width, second, precision, third] of format.matchAll(verb)) {
    if (rest === '%') continue;
    if (width === '*') take(first);
    if (precision === '*') take(second);
    take(third ?? (width === '*' ? undefined : first));
  }
  return isIndexed ? most > count : most !== count;
}
