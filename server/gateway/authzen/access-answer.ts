/** The value of a decision as an answer of the AuthZEN API. */
import { isDocumentObject } from '../../../runtime/index.js';
import { type PlainObject, typeName, type Value } from '../../../values/index.js';

/** A value that is no answer. */
export class AccessValueError extends Error {}

/** An answer: `context` is for the client. */
export type AccessAnswer = {
  readonly decision: boolean;
  readonly context?: PlainObject;
};

/**
 * The answer of a value: a boolean, or an object with a boolean `decision` and perhaps a `context`.
 * An undefined value denies. Throws an AccessValueError for any other value.
 */
export function accessAnswerOf(value: Value | undefined): AccessAnswer {
  if (value === undefined) return { decision: false };
  if (typeof value === 'boolean') return { decision: value };
  if (!isDocumentObject(value))
    throw new AccessValueError(`the decision must be a boolean or an object but is ${typeName(value)}`);
  const { decision, context } = value;
  if (typeof decision !== 'boolean')
    throw new AccessValueError(
      `"decision" of the decision must be a boolean but is ${decision === undefined ? 'missing' : typeName(decision)}`,
    );
  if (context === undefined) return { decision };
  if (!isDocumentObject(context))
    throw new AccessValueError(`"context" of the decision must be an object but is ${typeName(context)}`);
  return { decision, context };
}

/** A request that came to no decision, among others. */
export function failedAnswer(status: number, message: string): AccessAnswer {
  return { decision: false, context: { error: { status, message } } };
}
