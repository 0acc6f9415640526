/** Bodies of the AuthZEN API. */

import type { PlainObject } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import { AccessRequestError, bodyObject } from '../../gateway/authzen/access-request.js';
import { jsonType } from '../responses/answer.js';
import { invalidParameter, MalformedBody } from '../responses/api-error.js';
import { wholeDocumentOf } from './document.js';
import type { Exchange } from './exchange.js';

/** The body of a request. Rejects with an ApiError. */
export async function accessBody(exchange: Exchange, { limits }: Settings): Promise<PlainObject> {
  const [type = ''] = exchange.header('content-type')?.split(';', 1) ?? [];
  if (type.trim().toLowerCase() !== jsonType) throw invalidParameter(`the content type must be ${jsonType}`);
  try {
    const body = exchange.document === undefined ? await wholeDocumentOf(exchange, limits) : exchange.document.value;
    return checkedRequest(() => bodyObject(body));
  } catch (error) {
    if (error instanceof MalformedBody) throw invalidParameter(`the body is no JSON: ${error.message}`);
    throw error;
  }
}

/** Throws an ApiError for a faulty request. */
export function checkedRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AccessRequestError) throw invalidParameter(error.message);
    throw error;
  }
}
