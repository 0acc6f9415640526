/** Asks the engine in its worker, which is started by the first question. */
import type { Reply, RequestName, Requests } from '../worker/protocol.js';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export class EngineClient {
  #worker: Promise<Worker> | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  async ask<Name extends RequestName>(name: Name, ask: Requests[Name]['ask']): Promise<Requests[Name]['answer']> {
    const worker = await (this.#worker ??= this.#start());
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, ask });
    });
  }

  /** Ends the worker, with what it does and holds. */
  stop(): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error('stopped'));
    this.#waiting.clear();
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(URL.createObjectURL(new Blob([await engineText()], { type: 'text/javascript' })));
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.answer as never);
    };
    worker.onerror = ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
    };
    return worker;
  }
}

/** The engine's script, which the page holds compressed. */
async function engineText(): Promise<string> {
  const bytes = Uint8Array.from(atob(document.getElementById('engine')!.textContent), (character) =>
    character.charCodeAt(0),
  );
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
