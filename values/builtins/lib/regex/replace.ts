/** Matches replaced by a template with references to groups. */
import { TextBuilder } from '../../../text/text-builder.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { withinLength } from '../../limits.js';
import { compileRegex, type MatchIndexes, type Pattern } from './engine.js';
import { matchGroup } from './find.js';

export function replaceMatches(text: string, pattern: string, template: string, context: BuiltinContext): string {
  const compiled = compileRegex(pattern, context);
  const parts = template.includes('$') ? parseReplacement(template, compiled) : undefined;
  const matches = compiled.findAll(text, Number.POSITIVE_INFINITY, parts !== undefined, context);
  if (matches.length === 0) return text;
  return withinLength(() => {
    const result = new TextBuilder();
    let last = 0;
    for (const found of matches) {
      const replacement = parts === undefined ? template : expand(parts, text, found);
      context.tick(unitsPerMatch + (replacement.length >> 3));
      result.add(text.slice(last, found[0]) + replacement);
      last = found[1];
    }
    result.add(text.slice(last));
    return result.toString();
  });
}

/** Units for a match that is replaced. */
export const unitsPerMatch = 10;

/** Text, or the groups of a reference: several groups may have one name. */
type ReplacementPart = string | readonly number[];

function expand(parts: readonly ReplacementPart[], text: string, found: MatchIndexes): string {
  let result = '';
  for (const part of parts) {
    if (typeof part === 'string') result += part;
    else {
      const index = part.find((candidate) => (found[2 * candidate] ?? -1) >= 0);
      if (index !== undefined) result += matchGroup(text, found, index);
    }
  }
  return result;
}

const reference = /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/**
 * Go's templates: `$name` takes as long a name as it can, `${1}x` keeps it short, `$$` is a dollar;
 * anything else is text.
 */
function parseReplacement(template: string, pattern: Pattern): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let last = 0;
  for (const found of template.matchAll(reference)) {
    parts.push(template.slice(last, found.index));
    last = found.index + found[0].length;
    const [, dollar, braced, plain = ''] = found;
    parts.push(dollar === undefined ? groupsOf(braced ?? plain, pattern) : '$');
  }
  parts.push(template.slice(last));
  return parts;
}

function groupsOf(name: string, pattern: Pattern): readonly number[] {
  if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return [Number(name)];
  return pattern.names.flatMap((known, i) => (known === name ? [i] : []));
}
