/** Entity tags of policies and base documents, and the conditions of writes. */
import { createHash } from 'node:crypto';
import { inSlices, JsonError, toJson, type Value, writeJsonSteps } from '../../values/index.js';
import type { Exchange } from './requests/exchange.js';
import type { HttpAnswer } from './responses/answer.js';
import { ApiError } from './responses/api-error.js';

/** The most values that are written at once, in some milliseconds. */
const manyValues = 10_000;

/** The tag of a document's content. Its value must not change meanwhile. */
export function documentTag(value: Value): string | Promise<string> {
  try {
    return tagOf(toJson(value, manyValues));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return inSlices(writeJsonSteps(value)).then(tagOf);
}

export function policyTag(text: string): string {
  return tagOf(text);
}

/** The tag of several together. */
export function tagOfAll(texts: Iterable<string>): string {
  return tagOf([...texts].map(tagOf).join());
}

function tagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Whether a header with tags names one. Proxies that compress an answer make its tag weak. */
function namesTag(header: string, tag: string): boolean {
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** Whether the client has the present version. */
export function isKnown(exchange: Exchange, tag: string): boolean {
  const known = exchange.header('if-none-match');
  return known !== undefined && namesTag(known, tag);
}

export function notModified(tag: string): HttpAnswer {
  return { status: 304, body: null, headers: { etag: tag } };
}

/** The conditions of a write on the state that it is written to. */
export interface RequestConditions {
  /** `*` or tags. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Throws or rejects with an ApiError where `If-Match` does not hold.
 * @param tag of what is there; undefined where nothing is
 */
export async function checkMatch(
  { ifMatch }: RequestConditions,
  tag: () => string | undefined | Promise<string | undefined>,
): Promise<void> {
  if (ifMatch === undefined) return;
  const found = await tag();
  if (found !== undefined && (ifMatch.trim() === '*' || namesTag(ifMatch, found))) return;
  throw preconditionFailed(found === undefined ? 'If-Match: there is nothing' : `If-Match: the tag is ${found}`);
}

export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, 'precondition_failed', message);
}
