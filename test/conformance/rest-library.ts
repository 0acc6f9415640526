/**
 * Recorded scenarios of the REST API in the process: requests as calls of the library, and their
 * results and errors as the server answers them.
 */
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import {
  Engine,
  EngineError,
  FilterError,
  type FilterMappings,
  type FilterTarget,
  type PatchOperation,
  type UcastFilter,
} from '../../library/index.js';
import { documentPathText } from '../../library/paths/document-path.js';
import { memberOf } from '../../server/http/requests/input.js';
import { segmentsAfter } from '../../server/http/requests/path.js';
import { ApiError, apiErrorOf, complaintsOfQuery, moduleErrors } from '../../server/http/responses/api-error.js';
import { complaintsOf } from '../../server/http/routes/compile/compile.js';
import { parseJson, toJson } from '../../values/json/json.js';
import { toPlain } from '../../values/json/plain-form.js';
import { isObject, type PlainObject, type Value } from '../../values/value.js';
import { difference } from './rest-compare.js';
import { type RestRequest, type RestResponse, type RestScenario, scenarioFolder } from './rest-scenario.js';

/** The first difference from the recorded answer, or why there is none to look for. */
export type Judgement = { readonly why: string | undefined } | { readonly passedOver: string };

interface OpenScenario {
  judge(request: RestRequest, wanted: RestResponse): Promise<Judgement>;
  stop(): Promise<void>;
}

/** A request that a call of the library stands for. */
interface Asked {
  readonly engine: Engine;
  /** The path behind that of the route. */
  readonly segments: readonly string[];
  readonly params: URLSearchParams;
  readonly text: string;
  /** The body's members; none where it is no object. */
  readonly members: PlainObject;
  readonly accept: string | undefined;
}

/** Opens an engine with the sources, the configuration and the settings of a scenario's server. */
export async function openScenario({ server = {} }: RestScenario): Promise<OpenScenario> {
  const { folder, fill, remove } = scenarioFolder(server, 0);
  const before = process.cwd();
  process.chdir(folder);
  const leave = () => {
    process.chdir(before);
    remove();
  };
  try {
    const { args = [], flags = [], config } = server;
    const isGuarded = flags.some((flag) => flag.split(' ').some((part) => authorizes.test(part)));
    const engine = await Engine.open({
      config: { ...(parseJson(fill(toJson(config ?? {}))) as PlainObject), ...bundlesOf(args) },
      sources: args.filter((_, i) => !isBundle(args, i)).map(fill),
      set: flags.flatMap((flag, i) => (flag === '--set' ? [flags[i + 1]!] : [])),
      ...(flags.includes('--v0-compatible') && { regoVersion: 'v0' }),
      env: server.env,
      readyMs: 0,
      logger: silent,
      console: silent,
      onWarning: () => {},
    });
    return {
      judge: async (request, wanted) => (isGuarded ? readBefore : await judged(engine, request, wanted, folder)),
      async stop() {
        await engine.close();
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

function isBundle(args: readonly string[], i: number): boolean {
  return args[i] === '-b' || args[i - 1] === '-b';
}

/** Bundles of the command line are bundles of files, under the names that it gives. */
function bundlesOf(args: readonly string[]): PlainObject {
  const paths = args.filter((arg, i) => arg !== '-b' && isBundle(args, i));
  if (paths.length === 0) return {};
  return { bundles: Object.fromEntries(paths.map((path) => [path, { resource: `file://${process.cwd()}/${path}` }])) };
}

type Call = (asked: Asked) => Promise<unknown>;

const calls: readonly (readonly [method: string, route: string, call: Call])[] = [
  ['GET', '/v1/data', ({ params, ...asked }) => decided({ ...asked, params }, params.getAll('input').at(-1))],
  ['POST', '/v1/data', (asked) => decided(asked, memberText(asked, 'input'))],
  ['PUT', '/v1/data', putDocument],
  ['PATCH', '/v1/data', ({ engine, segments, text }) => engine.patchData(documentPathText(segments), operationsOf(text))],
  ['DELETE', '/v1/data', ({ engine, segments }) => engine.patchData(documentPathText(segments), [{ op: 'remove', path: '' }])],
  ['POST', '/v0/data', (asked) => webhook(asked, documentPathText(asked.segments))],
  ['POST', '/', (asked) => webhook(asked, asked.engine.defaultDecision)],
  ['PUT', '/v1/policies', ({ engine, segments, text }) => engine.setPolicy(segments.join('/'), text).then(() => ({}))],
  ['DELETE', '/v1/policies', ({ engine, segments }) => engine.setPolicy(segments.join('/'), undefined).then(() => ({}))],
  ['GET', '/v1/query', ({ engine, params }) => solutions(engine, params.getAll('q').at(-1), undefined)],
  ['POST', '/v1/query', (asked) => solutions(asked.engine, memberOf(asked.members, 'query'), memberText(asked, 'input'))],
  ['POST', '/v1/compile', (asked) => (asked.segments.length > 0 ? filtered(asked) : residual(asked))],
];

/** Statuses of requests that are redirected, have another method, or whose condition is false. */
const ofHttp = [301, 304, 307, 405];

const noCall = { passedOver: 'requests that are no call of the library' };
const readBefore = { passedOver: 'requests that HTTP refuses, redirects or authorizes' };

/** Whom it answers a server asks a policy, before it reads the request. */
const authorizes = /^--auth(?:entication|orization)=(?!off)/;

async function judged(engine: Engine, request: RestRequest, wanted: RestResponse, folder: string): Promise<Judgement> {
  const { method, path, headers = {}, body: text = '', bodyBase64 } = request;
  const [location, search = ''] = path.split('?') as [string, string?];
  const isOf = (route: string) => location === route || (route !== '/' && location.startsWith(`${route}/`));
  const found = calls.find(([of, route]) => of === method && isOf(route));
  if (found === undefined || headers.accept === 'application/vnd.opa.multitarget+json') return noCall;
  const [, route, call] = found;
  const params = new URLSearchParams(search);
  if (bodyBase64 !== undefined || ofHttp.includes(wanted.status) || /%(?![0-9a-f]{2})/i.test(location)) return readBefore;
  const isText = route === '/v1/policies';
  const texts = [...(isText || text === '' ? [] : [text]), ...params.getAll('input')];
  if (!texts.every(isJson) || (text === '' && hasBody.has(method) && wanted.status === 400 && !isText)) return readBefore;
  const body = isText || text === '' ? null : parseJson(text);
  if (route.startsWith('/v1/') && method === 'POST' && body !== null && !isObject(body)) return readBefore;
  const asked: Asked = {
    engine,
    segments: segmentsAfter(route, location),
    params,
    text,
    members: isObject(body) ? (body as PlainObject) : {},
    accept: headers.accept,
  };
  const isResidual = route === '/v1/compile' && asked.segments.length === 0;
  const answer = await answered(() => call(asked), { method, route, members: asked.members });
  const recorded = [wanted, ...(wanted.alternatives ?? []).map((alternative) => ({ status: wanted.status, ...alternative }))];
  const whys = recorded.map((each) => answerDifference(isResidual ? counted(each) : each, answer, folder));
  return { why: whys.includes(undefined) ? undefined : whys[0] };
}

const hasBody = new Set(['POST', 'PUT', 'PATCH']);

type Answer = { readonly status: number; readonly body: Value | undefined } | { readonly refusal: EngineError };

async function answered(
  call: () => Promise<unknown>,
  { method, route, members }: { readonly method: string; readonly route: string; readonly members: PlainObject },
): Promise<Answer> {
  try {
    return { status: 200, body: (await call()) as Value | undefined };
  } catch (error) {
    if (error instanceof EngineError) return { refusal: error };
    const refusal = apiErrorFor(error, route, method, members);
    if (refusal.code === 'internal_error' && refusal.errors.length === 0) throw error;
    return { status: refusal.status, body: refusal.toJson() };
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** Members that the server alone adds. */
const ofServer = ['/metrics', '/warning', '/explanation', '/provenance', '/decision_id'];

/** Errors of the library alone have sentences of their own: that they are errors is compared. */
function answerDifference(wanted: RestResponse, answer: Answer, folder: string): string | undefined {
  if ('refusal' in answer) return wanted.status >= 400 ? undefined : `wanted status ${wanted.status}, got ${answer.refusal.stack}`;
  const { status, body } = answer;
  const text = body === undefined ? 'none' : toJson(body).slice(0, 400);
  if (status >= 300 ? status !== wanted.status : wanted.status >= 300) return `wanted status ${wanted.status}, got ${status}: ${text}`;
  // Changes of documents return nothing.
  if (wanted.body === undefined || body === undefined) return undefined;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
  const got = parseJson(toJson(body).replaceAll(folder, '${dir}'));
  return difference(wanted.body, got, { ...wanted, optional: [...(wanted.optional ?? []), ...ofServer] });
}

function apiErrorFor(error: unknown, route: string, method: string, members: PlainObject): ApiError {
  if (error instanceof FilterError) {
    const problems = error.problems.map(({ details, ...problem }) => ({
      ...problem,
      ...(details !== undefined && { details: { details } }),
    }));
    return new ApiError(400, 'evaluation_error', 'error(s) occurred while evaluating query', problems as unknown as Value[]);
  }
  if (!(error instanceof CompileErrors)) return apiErrorOf(error);
  if (route === '/v1/query') return complaintsOfQuery(error);
  if (route === '/v1/compile') return complaintsOf(error, String(memberOf(members, 'query') ?? ''));
  return moduleErrors(error, method === 'DELETE' ? 'invalid_operation' : 'invalid_parameter');
}

/** Undefined for no input: in bodies of requests, null is none as well. */
function memberText({ members }: Asked, name: string): string | undefined {
  const value = memberOf(members, name);
  return value === undefined ? undefined : toJson(value);
}

async function decided({ engine, segments, params }: Asked, input: string | undefined): Promise<Value> {
  const strictBuiltinErrors = params.has('strict-builtin-errors') && params.get('strict-builtin-errors') !== 'false';
  return parseJson(engine.decideText(documentPathText(segments), input, { strictBuiltinErrors }));
}

/** What is written into arrays is added to them. */
async function putDocument({ engine, segments, text }: Asked): Promise<void> {
  const [path, value] = [documentPathText(segments), parseJson(text)];
  try {
    await engine.setData(path, value);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'invalid_path') throw error;
    await engine.patchData(path, [{ op: 'add', path: '', value }]);
  }
}

async function webhook({ engine, text }: Asked, path: string): Promise<Value> {
  const { result } = parseJson(engine.decideText(path, text === '' ? 'null' : text)) as PlainObject;
  if (result === undefined) throw new EngineError('undefined_path', `${path} is undefined`);
  return result;
}

async function solutions(engine: Engine, query: unknown, input: string | undefined): Promise<Value> {
  const prepared = await engine.prepare({ query: (query ?? '') as string });
  return parseJson(prepared.decideText(input));
}

function operationsOf(text: string): readonly PatchOperation[] {
  return toPlain(parseJson(text)) as unknown as readonly PatchOperation[];
}

/** The residual is text, in which calls are written otherwise: its parts are parsed and counted. */
async function residual({ engine, members }: Asked): Promise<unknown> {
  const options = memberOf(members, 'options') ?? {};
  const { queries, modules } = await engine.partial(plainMember<string>(members, 'query') ?? '', {
    unknowns: plainMember(members, 'unknowns'),
    input: plainMember(members, 'input'),
    disableInlining: plainMember(options as PlainObject, 'disableInlining'),
    nondeterministicBuiltins: plainMember(options as PlainObject, 'nondeterministicBuiltins'),
  });
  const parsed = queries.map((text) => parseQuery(text, { futureKeywords: ['not'] }));
  return { result: { queries: parsed.length, support: modules.map((text) => parseModule('', text)).length } };
}

/** Undefined for null, as in requests. Values of wrong types are the library's to refuse. */
function plainMember<T>(members: PlainObject, name: string): T | undefined {
  const value = memberOf(members, name);
  return value === undefined ? undefined : (toPlain(value) as T);
}

function counted(wanted: RestResponse): RestResponse {
  if (wanted.status >= 300 || wanted.body === undefined) return wanted;
  const { result } = wanted.body as { readonly result: { readonly [name: string]: Value } };
  const count = (name: string) => ((result[name] ?? []) as readonly Value[]).length;
  return { ...wanted, body: { result: { queries: count('queries'), support: count('support') } } };
}

async function filtered({ engine, segments, members, accept = '' }: Asked): Promise<unknown> {
  const [, kind = '', dialect = ''] = /^application\/vnd\.opa\.(sql|ucast)\.(\w+)\+json$/.exec(accept) ?? [];
  const options = (memberOf(members, 'options') ?? {}) as PlainObject;
  const mappings = plainMember<Readonly<Record<string, object>>>(options, 'targetSQLTableMappings');
  const { rows, masks, hints, ...condition } = await engine.filter(segments.join('/'), {
    target: (kind === 'sql' ? dialect : `ucast+${dialect}`) as FilterTarget,
    input: plainMember(members, 'input'),
    unknowns: plainMember(members, 'unknowns'),
    maskRule: plainMember(options, 'maskRule'),
    // Names for each target, for each kind of target, or for all.
    mappings: (mappings?.[dialect] ?? mappings?.[kind] ?? mappings) as FilterMappings | undefined,
  });
  const where = 'where' in condition ? `WHERE ${condition.where}` : (condition as UcastFilter).condition;
  const query = rows === 'all' && kind === 'sql' ? '' : where;
  return { ...(rows !== 'none' && { result: { query, ...(masks !== undefined && { masks }) } }), ...(hints.length > 0 && { hints }) };
}
