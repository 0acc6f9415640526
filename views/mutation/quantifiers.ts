/** `some` and `every`, each as the other. */
import { type Body, type Expr, Span } from '../../compiler/index.js';

type Every = Extract<Expr, { kind: 'every' }>;
type Some = Extract<Expr, { kind: 'some' }>;

/** `every x in xs { … }` as `some x in xs` and the body; undefined where that is no body. */
export function everyAsSome({ loc, body, negated, ...every }: Every): string | undefined {
  if (negated || every.with.length > 0) return undefined;
  const start = Math.min(...body.map((expr) => expr.loc.start));
  const brace = loc.source.text.lastIndexOf('{', start);
  const head = loc.source.text.slice(loc.start, brace).replace(/^every\b/, 'some');
  const inner = loc.source.text.slice(brace + 1, loc.end).replace(/\}\s*$/, '');
  return `${head.trimEnd()}${
    inner.includes('\n')
      ? inner
          .replace(/^[^\S\n]*/, '')
          .trimEnd()
          .replace(/^(?!\n)/, '; ')
      : `; ${inner.trim()}`
  }`;
}

/** `some x in xs` and the rest of its body as `every x in xs { … }`. */
export function someAsEvery(
  { symbols: [declared], loc, ...some }: Some,
  rest: Body,
): { readonly span: Span; readonly replacement: string } | undefined {
  if (declared?.type !== 'call' || some.with.length > 0) return undefined;
  // The last operand is the collection; before it stand the key and the member.
  if (declared.args.slice(0, -1).some(({ type }) => type !== 'var')) return undefined;
  const span = new Span(loc.source, loc.start, Math.max(...rest.map((expr) => expr.loc.end)));
  const body = loc.source.text.slice(loc.end, span.end).replace(/^\s*;/, '');
  const end = body.includes('\n') ? '\n}' : ' }';
  return { span, replacement: `${loc.text.replace(/^some\b/, 'every')} {${body}${end}` };
}
