/** Templates: texts with regular expressions between delimiters. */
import { goQuote } from '../../../text/term-text.js';
import { toBinary } from '../../../text/utf8.js';
import type { BuiltinContext, Cache } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { compileRegex } from './engine.js';
import { unitsPerMatch } from './replace.js';

/** A text with regular expressions between delimiters. */
export function templateMatch(
  template: string,
  value: string,
  start: string,
  end: string,
  context: BuiltinContext,
): boolean {
  const size = toBinary(start).length;
  if (size !== 1) throw new BuiltinError(`start delimiter has to be exactly one character long but is ${size} long`);
  // The reference counts the wrong one here.
  if (toBinary(end).length !== 1)
    throw new BuiltinError(`end delimiter has to be exactly one character long but is ${size} long`);
  const cache: Cache<string> = context.caches.of('regex.template_match', 100);
  const key = start + end + template;
  let pattern = cache.get(key);
  if (pattern === undefined) context.tick(template.length * unitsPerMatch);
  if (pattern === undefined) cache.set(key, (pattern = templatePattern(template, start, end, context)));
  return compileRegex(pattern, context).test(value, context);
}

function templatePattern(template: string, start: string, end: string, context: BuiltinContext): string {
  let pattern = '^';
  let level = 0;
  let last = 0;
  let open = 0;
  const unbalanced = () => new BuiltinError(`unbalanced braces in ${goQuote(template)}`);
  const inner: string[] = [];
  for (let i = 0; i < template.length; i++) {
    if (template[i] === start) {
      if (++level === 1) open = i;
    } else if (template[i] === end) {
      if (--level < 0) throw unbalanced();
      if (level > 0) continue;
      const part = template.slice(open + 1, i);
      inner.push(part);
      pattern += `${quoteMeta(template.slice(last, open))}(${part})`;
      last = i + 1;
    }
  }
  if (level !== 0) throw unbalanced();
  for (const part of inner) compileRegex(`^${part}$`, context);
  return `${pattern}${quoteMeta(template.slice(last))}$`;
}

function quoteMeta(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
