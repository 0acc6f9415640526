/** The verbs of formats for `sprintf`. */

const verb = /%(%|[#+\- 0]*(?:\[(\d+)\])?(\*|\d+)?(?:\.(?:\[(\d+)\])?(\*|\d+)?)?(?:\[(\d+)\])?[a-zA-Z])/g;

/** Whether a format takes more or fewer values than there are; an index counts once. */
export function missingArguments(format: string, count: number): boolean {
  let next = 0;
  const taken = new Set<number>();
  const take = (index: string | undefined): void => {
    next = index === undefined ? next + 1 : Number(index);
    taken.add(next);
  };
  for (const [, rest, first, width, second, precision, third] of format.matchAll(verb)) {
    if (rest === '%') continue;
    if (width === '*') take(first);
    if (precision === '*') take(second);
    take(third ?? (width === '*' ? undefined : first));
  }
  // A sign without a verb takes no value, but wants one: `50%` is written `50%%`.
  const lost = format.replace(verb, '').split('%').length - 1;
  return taken.size + lost !== count;
}
