/**
 * Generated text without the spaces and line ends that only readers need. It has strings in double
 * quotes, and neither comments, templates nor regular expressions.
 */
export function compact(text: string): string {
  const short: string[] = [];
  let last = '';
  let space = '';
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|\s+|[^"\s]+/g)) {
    if (/^\s/.test(part)) space = part.includes('\n') ? '\n' : ' ';
    else {
      if (space !== '' && needsSpace(last, space, part)) short.push(space);
      short.push(part);
      last = part.at(-1)!;
      space = '';
    }
  }
  return short.join('');
}

/** Whether a space or line end separates two tokens, or ends a statement. */
function needsSpace(last: string, space: string, next: string): boolean {
  if (space === '\n') return /[\w$"')\]}+-]/.test(last) && !/^[})\],;]/.test(next);
  if (last === '+' || last === '-') return next.startsWith(last);
  return /[\w$]/.test(last) && /^[\w$]/.test(next);
}
