/** For tests: a server that keeps what is put there, and knows versions by an `ETag`. */
import { createHash } from 'node:crypto';
import { serve } from './http.js';

/** The address of a store that ends after the test. */
export async function fileStore(): Promise<string> {
  const files = new Map<string, Buffer>();
  const { url } = await serve(({ method, path, headers, body }, response) => {
    if (method === 'PUT') {
      files.set(path, body);
      response.writeHead(201).end();
      return;
    }
    const file = files.get(path);
    const etag = file && `"${createHash('sha256').update(file).digest('hex')}"`;
    if (etag === undefined) response.writeHead(404).end();
    else if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'content-type': 'application/gzip' }).end(file);
  });
  return url;
}
