/** The two faces of services for tests: a server with its routes, and an engine in the process. */

import { Engine as CoreEngine } from '../../../engine/engine.js';
import { createContext } from '../../../engine/shared-context.js';
import { Engine, EvaluationError } from '../../../library/index.js';
import { readConfig } from '../../../server/control/server-config.js';
import { Server } from '../../../server/server.js';
import { Logger } from '../../../server/services/logs/logger.js';
import { startTracing } from '../../../server/services/tracing/tracing.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { type Json, parseJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';

/** A decision's answer; `code` is that of its error. */
interface FaceAnswer {
  readonly result?: Json;
  readonly id?: string | undefined;
  readonly code?: string;
}

export interface Face {
  decide(path: string, input?: unknown): Promise<FaceAnswer>;
  decideMany(path: string, inputs: readonly unknown[]): Promise<readonly FaceAnswer[]>;
  /** The decision of the configuration. */
  byDefault(input: unknown): Promise<FaceAnswer>;
  /** The fields of `GET /v1/status`. */
  status(): Promise<PlainObject>;
  /** The message of the refusal; undefined where there is none. */
  setPolicy(id: string, text: string): Promise<string | undefined>;
  setData(path: string, value: Json): Promise<string | undefined>;
  trigger(): Promise<void>;
  /** Lines of the log, and events of the console, which have a `type`. */
  readonly lines: readonly PlainObject[];
  /** Sends what is left, and ends. */
  close(): Promise<void>;
}

type Configured = PlainObject & { readonly status?: PlainObject };

export const faces: readonly (readonly [string, (config: Configured) => Promise<Face>])[] = [
  ['a server', serverFace],
  ['an engine in the process', engineFace],
];

async function serverFace(given: Configured): Promise<Face> {
  const lines: PlainObject[] = [];
  const logger = new Logger({ level: 'debug', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const config = readConfig({ ...given, status: { prometheus: true, ...given.status } });
  const tracing = await startTracing(config.tracing, logger);
  const host = tracing === undefined ? nodeHost : { ...nodeHost, network: tracing.network(nodeHost.network!) };
  const engine = new CoreEngine({ context: createContext({ host }, { runtime: { config: config.runtime } }) });
  const server = new Server({
    engine,
    config,
    logger,
    console: logger,
    tracing,
    addresses: ['127.0.0.1:0'],
    authentication: 'off',
    authorization: 'off',
  });
  await server.start();
  const close = once(() => server.stop(5000));
  onTestFinished(close);
  const [url] = server.urls;
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, Json> };
  };
  const refusal = ({ status, json }: Awaited<ReturnType<typeof ask>>) => (status < 300 ? undefined : messageOf(json));
  return {
    lines,
    close,
    decide: async (path, input) => answerOf((await ask('POST', `/v1/data/${path}`, input === undefined ? '' : { input })).json),
    decideMany: async (path, inputs) => {
      const { json } = await ask('POST', `/v1/batch/data/${path}`, {
        inputs: Object.fromEntries(inputs.map((input, i) => [`${i}`, input])),
      });
      return Object.values(json.responses as Record<string, Record<string, Json>>).map(answerOf);
    },
    byDefault: async (input) => {
      const { status, json } = await ask('POST', '/', input);
      return status === 200 ? { result: json as Json } : {};
    },
    status: async () => (await ask('GET', '/v1/status')).json.result as PlainObject,
    setPolicy: async (id, text) => refusal(await ask('PUT', `/v1/policies/${id}`, text)),
    setData: async (path, value) => refusal(await ask('PUT', `/v1/data/${path}`, value)),
    trigger: () => server.plugins.trigger(),
  };
}

function answerOf({ result, decision_id: id, errors }: Record<string, Json>): FaceAnswer {
  const [error] = (errors ?? []) as readonly { readonly code: string }[];
  return { ...(result !== undefined && { result }), ...(id !== undefined && { id: id as string }), ...(error && { code: error.code }) };
}

function messageOf({ message, errors }: Record<string, Json>): string {
  const [error] = (errors ?? []) as readonly { readonly message: string }[];
  return error?.message ?? (message as string);
}

async function engineFace(config: Configured): Promise<Face> {
  const lines: PlainObject[] = [];
  const write = (level: string) => (msg: string, fields?: object) => void lines.push({ ...(fields as PlainObject), level, msg });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warning'), error: write('error') };
  const engine = await Engine.open({ config, logger, console: logger, readyMs: 0 });
  const close = once(() => engine.close());
  onTestFinished(close);
  const answering = async (path: string, input: unknown): Promise<FaceAnswer> => {
    try {
      const { result, decisionId } = await engine.decideAsync(path, input);
      return { ...(result !== undefined && { result }), ...(decisionId !== undefined && { id: decisionId }) };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return { code: error.code };
    }
  };
  return {
    lines,
    close,
    decide: answering,
    decideMany: async (path, inputs) =>
      (await engine.decideMany(path, inputs)).map(({ result, decisionId, error }) => ({
        ...(result !== undefined && { result }),
        id: decisionId,
        ...(error && { code: error.code }),
      })),
    byDefault: async (input) => await answering(engine.defaultDecision, input),
    status: async () => engine.status() as unknown as PlainObject,
    setPolicy: (id, text) => refused(engine.setPolicy(id, text)),
    setData: (path, value) => refused(engine.setData(path, value)),
    trigger: () => engine.trigger(),
  };
}

async function refused(change: Promise<void>): Promise<string | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => (ended ??= end());
}
