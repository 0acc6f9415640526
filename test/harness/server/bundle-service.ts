/** A service of bundles for tests: it has one bundle, knows its versions, and may fail. */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { tarOf } from '../archives.js';
import { serve } from './http.js';

type Request = Parameters<Parameters<typeof serve>[0]>[0];
type Answer = (request: Request, response: ServerResponse) => void;

interface Delta {
  readonly base: string;
  readonly body: Uint8Array;
}

export class BundleService {
  /** The service's URL. */
  url = '';
  /** Requests for the bundle, in order. */
  requests: Request[] = [];
  /** Answers requests instead of the bundle. */
  failing: Answer | undefined;
  /** Whether it holds requests until there is another version, where it is asked to. */
  holds = true;
  close: () => Promise<void> = async () => {};
  #etag = '';
  #body: Uint8Array = new Uint8Array();
  #delta: Delta | undefined;
  #held: (() => void)[] = [];

  /** Starts the service. */
  static async start(): Promise<BundleService> {
    const service = new BundleService();
    Object.assign(service, await serve((request, response) => (service.failing ?? service.#answer)(request, response)));
    return service;
  }

  /** Has another version from now on. */
  async put(etag: string, files: Readonly<Record<string, string>>): Promise<void> {
    this.#become(etag, gzipSync(await tarOf(Object.entries(files))), undefined);
  }

  #become(etag: string, body: Uint8Array, delta: Delta | undefined): void {
    this.#etag = etag;
    this.#body = body;
    this.#delta = delta;
    for (const answer of this.#held.splice(0)) answer();
  }

  /** Offers a patch to clients with the former version; `files` are the new version's. */
  async change(etag: string, patch: readonly object[], files: Readonly<Record<string, string>>): Promise<void> {
    const base = this.#etag;
    const { roots } = JSON.parse(files['/.manifest'] ?? '{}') as { roots?: readonly string[] };
    const manifest = JSON.stringify({ revision: etag, roots });
    const body = gzipSync(
      await tarOf([
        ['/patch.json', JSON.stringify({ data: patch })],
        ['/.manifest', manifest],
      ]),
    );
    const whole = gzipSync(await tarOf(Object.entries(files)));
    this.#become(etag, whole, { base, body });
  }

  readonly #answer: Answer = (request, response) => {
    const { prefer = '', 'if-none-match': known } = request.headers;
    const waits = this.holds && String(prefer).includes('wait=');
    const headers: Record<string, string> = { ETag: this.#etag };
    if (waits) headers['Content-Type'] = 'application/vnd.openpolicyagent.bundles';
    if (known !== this.#etag) {
      response.writeHead(200, headers).end(known !== undefined && known === this.#delta?.base ? this.#delta.body : this.#body);
    } else if (waits) {
      this.#held.push(() => this.#answer(request, response));
    } else response.writeHead(304, headers).end();
  };
}
