/** The engine in the page's worker. */
import type { Requests } from '../worker/protocol.js';
import { WorkerClient } from '../worker/worker-client.js';

export type EngineClient = WorkerClient<Requests>;

/** The engine whose script the page holds, compressed. */
export function engineOfPage(): EngineClient {
  return new WorkerClient(
    async () => new Worker(URL.createObjectURL(new Blob([await engineText()], { type: 'text/javascript' }))),
  );
}

async function engineText(): Promise<string> {
  const bytes = Uint8Array.from(atob(document.getElementById('engine')!.textContent), (character) =>
    character.charCodeAt(0),
  );
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
