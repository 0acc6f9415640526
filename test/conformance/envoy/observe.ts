/** What happens at a step of a recorded scenario, in the form of the recording. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { CheckClient } from '../../harness/envoy/check-client.js';
import { groupedHeaders } from '../../harness/envoy/envoy.js';
import type { EnvoyStep, HttpRequest, RunningScenario } from './scenario.js';

export type Observed = { readonly [key: string]: Value | undefined };

export class Observer {
  readonly #running: RunningScenario;
  readonly #client: CheckClient;

  constructor(running: RunningScenario) {
    this.#running = running;
    this.#client = new CheckClient(running.address);
  }

  close(): void {
    this.#client.close();
  }

  async observe(step: EnvoyStep): Promise<Observed> {
    if (step.rest !== undefined) return await this.#rest(step.rest);
    if (step.metrics !== undefined) return { metrics: await this.#metrics() };
    if (step.reflection !== undefined) return { services: await this.#services(step.reflection) };
    this.#running.takeLog();
    if (step.http !== undefined) {
      const client = await this.#http(step.http);
      const [seen = null] = this.#running.upstream!.take();
      return { client, upstream: seen && withoutHeaders(seen as unknown as PlainObject, upstreamOwn), ...(await this.#logged()) };
    }
    const { check, checkBase64, service, metadata, deadlineMs, call } = step;
    const { response, error } = await this.#client.check(check ?? Buffer.from(checkBase64!, 'base64'), {
      ...(service && { version: service }),
      ...(metadata && { metadata }),
      ...(deadlineMs !== undefined && { deadlineMs }),
      ...(call !== undefined && { call }),
    });
    const outcome = error === undefined ? { response: sortedLists(response as Value) } : { error };
    return { ...outcome, ...(await this.#logged(deadlineMs !== undefined)) };
  }

  /** @param isLate whether the event comes after the client has given up */
  async #logged(isLate = false): Promise<Observed> {
    let lines = this.#running.takeLog();
    for (let i = 0; isLate && i < 100 && !lines.some(isEvent); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      lines = [...lines, ...this.#running.takeLog()];
    }
    const event = lines.find(isEvent);
    const prints = lines.filter((line) => Object.hasOwn(line, 'decision-id'));
    if (event !== undefined && prints.some((line) => line['decision-id'] !== event.decision_id)) return { prints: 'other ids' };
    return { log: event ?? null, prints: prints.map(({ level, msg }) => ({ level: level!, msg: msg! })) };
  }

  async #rest({ method = 'GET', path, headers = {}, body }: NonNullable<EnvoyStep['rest']>): Promise<Observed> {
    const { status } = await fetch(`${this.#running.restUrl}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status };
  }

  async #metrics(): Promise<PlainObject> {
    const text = await (await fetch(`${this.#running.restUrl}/metrics`)).text();
    const found: Record<string, Value> = {};
    for (const line of text.split('\n')) {
      const [, name = '', labels = '', value] = /^(\w+)\{([^}]*)\} (\S+)$/.exec(line) ?? [];
      const { handler, le, reason } = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]));
      if (name === 'error_counter') found[`errors ${reason}`] = Number(value);
      if (name === 'grpc_request_duration_seconds_count') found[`count ${handler}`] = Number(value);
      if (name === 'grpc_request_duration_seconds_sum') found[`sum ${handler}`] = '*';
      if (name === 'grpc_request_duration_seconds_bucket') {
        const bounds = (found[`buckets ${handler}`] ??= []) as Value[];
        bounds.push(le === '+Inf' ? le : Number(le));
      }
    }
    return found;
  }

  async #services(version: string): Promise<Value> {
    // A request for all services: field 7, an empty text.
    const answer = await this.#client.stream(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`, Buffer.from([0x3a, 0]));
    return [...answer.toString('latin1').matchAll(/(?:envoy|grpc)\.[\w.]+/g)].map(([name]) => name).sort();
  }

  #http({ listener = 'main', method, path, headers = {}, body, bodyBase64, chunked }: HttpRequest): Promise<PlainObject> {
    const bytes = bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
    const length =
      bytes.length === 0 ? {} : chunked === undefined ? { 'content-length': bytes.length } : { 'transfer-encoding': 'chunked' };
    return new Promise((resolve, reject) => {
      const port = this.#running.listeners[listener]!;
      const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false };
      const request = httpRequest(options, (response) => void answerOf(response).then(resolve, reject));
      request.on('error', reject);
      if (chunked !== undefined) for (let i = 0; i < bytes.length; i += chunked) request.write(bytes.subarray(i, i + chunked));
      else if (bytes.length > 0) request.write(bytes);
      request.end();
    });
  }
}

function isEvent({ msg }: PlainObject): boolean {
  return msg === 'Decision Log';
}

async function answerOf(response: IncomingMessage): Promise<PlainObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const all = { status: response.statusCode!, headers: groupedHeaders(response.rawHeaders), body: Buffer.concat(chunks).toString() };
  return withoutHeaders(parseJson(JSON.stringify(all)) as PlainObject, clientOwn);
}

const clientOwn = ['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'x-envoy-upstream-service-time'];
const upstreamOwn = ['connection', 'transfer-encoding'];

function withoutHeaders(message: PlainObject, names: readonly string[]): PlainObject {
  const headers = Object.entries(message.headers as PlainObject).filter(([name]) => !names.includes(name));
  return { ...message, headers: Object.fromEntries(headers) };
}

const sortedNames = ['headers', 'responseHeadersToAdd', 'queryParametersToSet'];

/** Headers and parameters by key, and for one key in their order. */
function sortedLists(value: Value): Value {
  if (Array.isArray(value)) return value.map(sortedLists);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as PlainObject).map(([name, member]) => {
      if (!sortedNames.includes(name) || !Array.isArray(member)) return [name, sortedLists(member)];
      return [name, (member as PlainObject[]).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))];
    }),
  );
}

function keyOf(member: PlainObject): string {
  return String((member.header as PlainObject | undefined)?.key ?? member.key ?? '');
}
