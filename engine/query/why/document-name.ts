/** Names of the rules that an expression read. */
import { documentText } from '../../../compiler/index.js';
import type { ExplainedDocument, Explaining } from './explaining.js';

/** `data.authz.allow`, `data.authz.roles["bob"]`, `data.authz.f("x", 1)`. */
export function documentName(explaining: Explaining, { document, keys }: ExplainedDocument): string {
  const name = documentText(document.path);
  const texts = keys.map((key) => explaining.short(key));
  if (document.kind === 'function') return `${name}(${texts.join(', ')})`;
  return `${name}${texts.map((text) => `[${text}]`).join('')}`;
}
