/** Places in templates, as Go reports them. */
import { goQuote } from '../../../text/term-text.js';
import { toBinary } from '../../../text/utf8.js';
import { BuiltinError } from '../../builtin-errors.js';

/** The name of the template that a call gives. */
export const mainName = 'template';

/** Units for a node that is executed, and for a character of a template that is read. */
export const unitsPerNode = 30;

/** An error of an expression, with its place and text as Go reports them. */
export function executionError(
  source: string,
  template: string,
  at: number,
  what: string,
  message: string,
): BuiltinError {
  const before = source.slice(0, at);
  const column = toBinary(before.slice(before.lastIndexOf('\n') + 1)).length;
  return new BuiltinError(
    `template: ${mainName}:${lineAt(source, at)}:${column}: executing ${goQuote(template)} at <${what}>: ${message}`,
  );
}

export function lineAt(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}
