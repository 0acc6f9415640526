/** Asks a worker by numbered messages. The worker is started by the first question. */

/** The question and the answer of each request, by its name. */
type Requests<All> = { readonly [name in keyof All]: { readonly ask: unknown; readonly answer: unknown } };

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerClient<All extends Requests<All>> {
  readonly #open: () => Worker | Promise<Worker>;
  #worker: Promise<Worker> | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(open: () => Worker | Promise<Worker>) {
    this.#open = open;
  }

  async ask<Name extends keyof All>(name: Name, ask: All[Name]['ask']): Promise<All[Name]['answer']> {
    const worker = await (this.#worker ??= this.#start());
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, ask });
    });
  }

  /** Ends the worker with its work and memory. */
  stop(reason = 'stopped'): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = undefined;
    this.#rejectAll(reason);
  }

  async #start(): Promise<Worker> {
    const worker = await this.#open();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.answer as never);
    };
    worker.onerror = ({ message }) => this.#rejectAll(message);
    return worker;
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly ask: unknown;
}

type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly error: string };

/** In a worker: answers each question by the function of its name. */
export function answerBy(
  answers: Readonly<Record<string, (ask: never) => unknown>>,
  describe: (error: unknown) => string,
): void {
  addEventListener('message', async ({ data }: MessageEvent<Question>) => {
    const { id, name, ask } = data;
    let reply: Reply;
    try {
      reply = { id, answer: await answers[name]!(ask as never) };
    } catch (error) {
      reply = { id, error: describe(error) };
    }
    postMessage(reply);
  });
}
