/** The literal parts of a glob: most texts that it does not match fail at these. */
import { type CharSet, overlap } from '../regex/charset.js';
import type { RegexNode } from '../regex/syntax.js';

export interface Literals {
  /** Each text that matches starts and ends with these. */
  readonly prefix: string;
  readonly suffix: string;
  /** Behind the prefix, the first `stop` begins `next`; both are empty where that is unknown. */
  readonly stop: string;
  readonly next: string;
}

/** @param tree as `parseGlob` makes it */
export function literalsOf(tree: RegexNode): Literals {
  const nodes = tree.kind === 'concat' ? tree.nodes : [tree];
  const prefix = literalAt(nodes, 0);
  const start = nodes.findLastIndex((node, i) => i < prefix.length || characterOf(node) === undefined) + 1;
  const suffix = literalAt(nodes, start);
  const run = nodes[prefix.length];
  const next = literalAt(nodes, prefix.length + 1);
  const stops = run?.kind === 'repeat' && run.of.kind === 'set' && next !== '' && !has(run.of.set, next.charCodeAt(0));
  return { prefix, suffix, stop: stops ? next.charAt(0) : '', next: stops ? next : '' };
}

/** False only for a text that does not match. */
export function mayMatch({ prefix, suffix, stop, next }: Literals, text: string): boolean {
  if (!text.startsWith(prefix) || (suffix !== '' && !text.endsWith(suffix))) return false;
  if (stop === '') return true;
  const at = text.indexOf(stop, prefix.length);
  return at >= 0 && text.startsWith(next, at);
}

/** The literal characters that begin at a node. */
function literalAt(nodes: readonly RegexNode[], start: number): string {
  let text = '';
  for (const node of nodes.slice(start)) {
    const character = characterOf(node);
    if (character === undefined) break;
    text += character;
  }
  return text;
}

/** Surrogates are left to the pattern, which sees pairs of them as one character. */
function characterOf(node: RegexNode): string | undefined {
  const [range, ...others] = node.kind === 'set' ? node.set : [];
  if (range === undefined || others.length > 0) return undefined;
  const [low, high] = range;
  return low === high && (low < 0xd800 || (low > 0xdfff && low < 0xfffd)) ? String.fromCharCode(low) : undefined;
}

function has(set: CharSet, character: number): boolean {
  return overlap(set, [[character, character]]);
}
