import { joinBytes } from '../../text/join-bytes.js';

/**
 * The bytes of a response's body.
 * @param limit more bytes end the reading
 * @param tooLarge the error that is thrown then
 */
export async function responseBody({ body }: Response, limit: number, tooLarge: () => Error): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  if (body === null) return joinBytes(parts);
  let size = 0;
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge();
    }
    parts.push(next.value);
  }
  return joinBytes(parts);
}
