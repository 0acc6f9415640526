/** The values of `else` chains in another order. */
import { elseChain, type Rule, Span } from '../../compiler/index.js';

interface ElseSwap {
  readonly span: Span;
  readonly replacement: string;
  /** The first of the two. */
  readonly first: Rule;
}

/** Each two neighbours of a chain, changed places with each other. */
export function elseSwaps(rule: Rule): readonly ElseSwap[] {
  const links = [...elseChain(rule)];
  return links.slice(1).flatMap((second, i) => {
    const first = links[i]!;
    const { source } = rule.loc;
    const a = partOf(first, second, rule);
    const b = partOf(second, links[i + 2], rule);
    if (a === undefined || b === undefined) return [];
    const between = source.text.slice(a.end, b.start);
    return [{ span: new Span(source, a.start, b.end), replacement: b.text + between + a.text, first }];
  });
}

/** The value and the body of a link, without the name before and the `else` behind. */
function partOf(link: Rule, next: Rule | undefined, rule: Rule): Span | undefined {
  const { head } = link;
  const { source } = head.loc;
  let start = head.loc.end;
  if (link !== rule) start = head.loc.start + 'else'.length;
  else if (!head.generatedValue && head.value !== undefined) {
    const before = /\s*:?=\s*$/.exec(source.text.slice(head.loc.start, head.value.loc.start));
    if (before === null) return undefined;
    start = head.loc.start + before.index;
  }
  const end = next === undefined ? rule.loc.end : next.head.loc.start;
  const text = source.text.slice(start, end).trimEnd();
  return new Span(source, start, start + text.length);
}
