/** A thread that evaluates what takes long. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { CacheSet, LruCache } from '../builtins/cache.js';
import { builtins } from '../builtins/registry.js';
import { evaluateAsync } from '../engine/evaluate.js';
import { parseModuleValue } from '../engine/module-value.js';
import { solutionNumber } from '../engine/solutions.js';
import { nodeHost } from '../host/node.js';
import { unpackProgram } from '../program/pack.js';
import { parseJson, toJson } from '../values/json.js';
import type { PlainObject, Value } from '../values/value.js';
import { EvaluationError } from '../vm/errors.js';
import { type Executable, link } from '../vm/executable.js';
import { MatchIndexes } from '../vm/matches.js';
import { type EvaluationJob, type EvaluationReport, keptByWorker, type ReportedError } from './messages.js';

/** Answers jobs until the server ends the thread. */
export function serveEvaluations(): void {
  const port = parentPort;
  if (port === null) throw new Error('evaluations are served to a server that started this thread');
  const worker = new EvaluationWorker(port);
  port.on('message', (job: EvaluationJob) => void worker.take(job));
}

class EvaluationWorker {
  readonly #port: MessagePort;
  readonly #programs = new LruCache<Executable>(keptByWorker);
  readonly #builtins = new Map(builtins).set(solutionNumber.name, solutionNumber);
  #data: PlainObject = {};
  #runtime: Value = {};

  constructor(port: MessagePort) {
    this.#port = port;
  }

  async take(job: EvaluationJob): Promise<void> {
    const printed: string[] = [];
    const calls: Value[] = [];
    let outcome: { readonly results: string } | { readonly error: ReportedError };
    try {
      outcome = { results: await this.#evaluate(job, printed, calls) };
    } catch (error) {
      const { code = 'eval_internal_error', message } = error as Error & { code?: string };
      const isOurs = error instanceof EvaluationError;
      outcome = {
        error: isOurs ? { code, detail: error.detail, location: error.location } : { code, detail: message, location: undefined },
      };
    }
    const answers = calls.length === 0 ? undefined : toJson(calls);
    this.#port.postMessage({ id: job.id, printed, answers, ...outcome } satisfies EvaluationReport);
  }

  async #evaluate(job: EvaluationJob, printed: string[], calls: Value[]): Promise<string> {
    if (job.data !== undefined) this.#data = parseJson(job.data) as PlainObject;
    if (job.runtime !== undefined) this.#runtime = parseJson(job.runtime);
    const key = String(job.programId);
    if (job.program !== undefined) this.#programs.set(key, await link(unpackProgram(job.program), this.#builtins));
    const surroundings = {
      host: nodeHost,
      caches: new CacheSet(),
      runtime: this.#runtime,
      dataIndexes: new MatchIndexes(),
      parseModule: parseModuleValue,
      allowNet: job.allowNet,
    };
    const options = {
      timeMs: job.timeMs,
      strictBuiltinErrors: job.strictBuiltinErrors,
      onPrint: (line: string) => void printed.push(line),
      onRestart: () => void printed.splice(0),
      ...(job.wantsAnswers && {
        onNondeterministic: (builtin: string, operands: readonly Value[], value: Value) => void calls.push([builtin, operands, value]),
      }),
    };
    const input = job.input === undefined ? undefined : parseJson(job.input);
    const target = { executable: this.#programs.get(key)!, plan: job.plan };
    const known = job.known === undefined ? undefined : new Map(parseJson(job.known) as unknown as readonly [string, Value][]);
    return toJson(await evaluateAsync(target, input, this.#data, surroundings, options, known));
  }
}
