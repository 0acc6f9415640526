/** The API as an OpenAPI 3.1 document. */

import { buildInfo } from '../../../engine/index.js';
import { capabilitiesVersion, lazy, type PlainObject, type Value } from '../../../values/index.js';
import { filterTypes } from '../requests/filter-request.js';
import { schemas } from './schemas.js';

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly ParameterName[];
  /** The schema of the body, or the content type of a text. */
  readonly body?: string;
  readonly bodyType?: string;
  readonly yaml?: true;
  readonly answers: { readonly [status: number]: string };
  /** Content types of responses with status 200. Default: JSON. */
  readonly answerTypes?: readonly string[];
}

const parameters = {
  pretty: ['boolean', 'Indent the answer.'],
  metrics: ['boolean', 'Show timers and counters.'],
  instrument: ['boolean', 'Show the timers of compiler stages as well.'],
  provenance: ['boolean', 'Show where the decision comes from.'],
  explain: ['string', 'Show how the decision came about: off, notes, fails, full, debug; data API: why.'],
  depth: ['integer', 'With explain=why: levels of rules below those that were asked for.'],
  rule_labels: ['boolean', 'Show the labels of the rules that hold.'],
  watch: ['boolean', 'Sends the result now, and again whenever it changes.'],
  'strict-builtin-errors': ['boolean', "A built-in's error ends the evaluation."],
  input: ['string', 'The input document, as JSON.'],
  q: ['string', 'The query.'],
  entrypoint: ['array', 'Only decisions of these paths, such as authz/allow.'],
  bundles: ['boolean', 'Ask that all bundles have been activated.'],
  plugins: ['boolean', 'Ask that all plugins are up.'],
  store: ['boolean', 'Ask that the log of writes is followed.'],
  'exclude-plugin': ['array', 'Plugins that need not be up.'],
} as const satisfies { readonly [name: string]: readonly [type: string, description: string] };

type ParameterName = keyof typeof parameters;

const decision: readonly ParameterName[] = [
  'pretty',
  'provenance',
  'explain',
  'depth',
  'metrics',
  'instrument',
  'rule_labels',
  'watch',
  'strict-builtin-errors',
];
const failures = { 400: 'Error', 500: 'Error' } as const;
/** The errors of the AuthZEN API. */
const texts = { 400: 'text/plain', 500: 'text/plain' } as const;
/** The refusals of writes. */
const refusals = { 412: 'Error', 503: 'Error' } as const;

/** Operations by method and path. `{path}` stands for any number of segments. */
export const operations: { readonly [route: string]: Operation } = {
  'GET /': { summary: 'A page to ask queries from.', answers: { 200: 'text/html' } },
  'POST /': {
    summary: 'The default decision; the body is the input.',
    parameters: ['pretty'],
    body: 'Document',
    yaml: true,
    answers: { 200: 'Document', 404: 'Error', ...failures },
  },
  'POST /v0/data': webhook(),
  'POST /v0/data/{path}': webhook(),
  'GET /v1/data': getDocument(),
  'GET /v1/data/{path}': getDocument(),
  'POST /v1/data': postDocument(),
  'POST /v1/data/{path}': postDocument(),
  'PUT /v1/data': putDocument(),
  'PUT /v1/data/{path}': putDocument(),
  'PATCH /v1/data': patchDocument(),
  'PATCH /v1/data/{path}': patchDocument(),
  'DELETE /v1/data/{path}': {
    summary: 'Delete a document.',
    parameters: ['metrics'],
    answers: { 200: 'DataChange', 204: '', 404: 'Error', ...refusals, ...failures },
  },
  'POST /v1/batch/data/{path}': {
    summary: 'A document for each of several inputs.',
    parameters: ['pretty', 'provenance', 'metrics', 'instrument', 'strict-builtin-errors'],
    body: 'BatchRequest',
    yaml: true,
    answers: { 200: 'BatchAnswer', 207: 'BatchAnswer', 400: 'Error', 500: 'BatchAnswer' },
  },
  'GET /v1/policies': {
    summary: 'List policies.',
    parameters: ['pretty'],
    answers: { 200: 'PolicyList', 500: 'Error' },
  },
  'GET /v1/policies/{path}': {
    summary: 'Get a policy.',
    parameters: ['pretty'],
    answers: { 200: 'PolicyAnswer', 404: 'Error', 500: 'Error' },
  },
  'PUT /v1/policies/{path}': {
    summary: 'Create or replace a policy.',
    parameters: ['pretty', 'metrics'],
    bodyType: 'text/plain',
    answers: { 200: 'PolicyChange', 304: '', ...refusals, ...failures },
  },
  'DELETE /v1/policies/{path}': {
    summary: 'Delete a policy.',
    parameters: ['pretty', 'metrics'],
    answers: { 200: 'PolicyChange', 404: 'Error', ...refusals, ...failures },
  },
  'POST /v1/transactions': {
    summary: 'Several writes of policies and documents in one step, or none.',
    parameters: ['pretty', 'metrics'],
    body: 'Transaction',
    answers: { 200: 'TransactionAnswer', 404: 'Error', ...refusals, ...failures },
  },
  'POST /v1/diff': {
    summary: 'The recent decisions, made again with a bundle, or policies and data, that are not active.',
    parameters: ['pretty', 'entrypoint'],
    body: 'Draft',
    answers: { 200: 'ChangeReport', ...failures, 503: 'Error' },
  },
  'GET /v1/query': {
    summary: 'Solutions of a query.',
    parameters: ['q', 'pretty', 'explain', 'metrics', 'instrument', 'rule_labels', 'watch'],
    answers: { 200: 'QueryAnswer', ...failures, 503: 'Error' },
  },
  'POST /v1/query': {
    summary: 'Solutions of a query, with an input.',
    parameters: ['pretty', 'explain', 'metrics', 'instrument', 'rule_labels', 'watch'],
    body: 'QueryRequest',
    answers: { 200: 'QueryAnswer', ...failures, 503: 'Error' },
  },
  'POST /v1/compile': {
    summary: 'Partial evaluation: what is left of a query when a part of the input or of the data is unknown.',
    parameters: ['pretty', 'explain', 'metrics', 'instrument'],
    body: 'CompileRequest',
    answers: { 200: 'CompileAnswer', ...failures },
  },
  'GET /v1/compile/{path}': filters(),
  'POST /v1/compile/{path}': { ...filters(), body: 'FilterRequest' },
  'POST /access/v1/evaluation': {
    summary: 'AuthZEN: whether a subject may do an action with a resource. Served with plugins.authzen.',
    parameters: ['explain'],
    body: 'AccessRequest',
    answers: { 200: 'AccessAnswer', ...texts },
  },
  'POST /access/v1/evaluations': {
    summary: 'AuthZEN: several such questions. Served with plugins.authzen.',
    parameters: ['explain'],
    body: 'AccessEvaluations',
    answers: { 200: 'AccessEvaluationsAnswer', ...texts },
  },
  'POST /access/v1/search/subject': accessSearch('subjects'),
  'POST /access/v1/search/resource': accessSearch('resources'),
  'POST /access/v1/search/action': accessSearch('actions'),
  'GET /.well-known/authzen-configuration': {
    summary: 'AuthZEN: the URLs of its endpoints. Served with plugins.authzen.',
    answers: { 200: 'Document', ...texts },
  },
  'GET /.well-known/authzen-configuration/{path}': {
    summary: 'The same where the API is at a URL with a path.',
    answers: { 200: 'Document', 404: 'text/plain', ...texts },
  },
  'GET /v1/config': {
    summary: 'The configuration, without secrets.',
    parameters: ['pretty'],
    answers: { 200: 'ConfigAnswer' },
  },
  'GET /v1/status': {
    summary: 'Status of bundles and plugins.',
    parameters: ['pretty'],
    answers: { 200: 'StatusAnswer', 500: 'Error' },
  },
  'GET /health': {
    summary: 'Whether the server can decide.',
    parameters: ['bundles', 'plugins', 'store', 'exclude-plugin'],
    answers: { 200: 'Health', 500: 'Health' },
  },
  'GET /health/{path}': {
    summary: 'What a rule of the package system.health says.',
    answers: { 200: 'Health', 400: 'Error', 500: 'Health' },
  },
  'GET /metrics': { summary: 'Metrics in the text format of Prometheus.', answers: { 200: 'text/plain' } },
  'HEAD /metrics': { summary: 'The head of that answer.', answers: { 200: 'text/plain' } },
  'GET /openapi.json': { summary: 'This document.', parameters: ['pretty'], answers: { 200: 'Document' } },
};

function accessSearch(entities: string): Operation {
  return {
    summary: `AuthZEN: the ${entities} that are permitted. Served with plugins.authzen.`,
    body: 'AccessSearch',
    answers: { 200: 'AccessSearchAnswer', 501: 'text/plain', ...texts },
  };
}

function filters(): Operation {
  return {
    summary:
      'A data filter: the condition on rows of a database under which a rule holds, in the language of the `Accept` header.',
    parameters: ['pretty', 'metrics', 'instrument'],
    answerTypes: filterTypes,
    answers: { 200: 'FilterAnswer', ...failures },
  };
}

function webhook(): Operation {
  return {
    summary: 'A document as it is; the body is the input.',
    parameters: ['pretty'],
    body: 'Document',
    yaml: true,
    answers: { 200: 'Document', 404: 'Error', ...failures },
  };
}

function getDocument(): Operation {
  return {
    summary: 'A document.',
    parameters: ['input', ...decision],
    answers: { 200: 'Decision', 503: 'Error', ...failures },
  };
}

function postDocument(): Operation {
  return {
    summary: 'A document, given an input.',
    parameters: decision,
    body: 'DataRequest',
    yaml: true,
    answers: { 200: 'Decision', 503: 'Error', ...failures },
  };
}

function putDocument(): Operation {
  return {
    summary: 'Create or overwrite a document.',
    parameters: ['metrics'],
    body: 'Document',
    answers: { 200: 'DataChange', 204: '', 304: '', 404: 'Error', ...refusals, ...failures },
  };
}

function patchDocument(): Operation {
  return {
    summary: 'Change documents by JSON Patch.',
    parameters: ['metrics'],
    body: 'Patch',
    bodyType: 'application/json-patch+json',
    answers: { 200: 'DataChange', 204: '', 404: 'Error', ...refusals, ...failures },
  };
}

export const openApiDocument = lazy((): PlainObject => {
  const paths: Record<string, Record<string, Value>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method, path] = route.split(' ') as [string, string];
    paths[path] ??= path.includes('{path}') ? { parameters: [pathParameter] } : {};
    paths[path][method.toLowerCase()] = operationJson(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'writ',
      version: buildInfo.version,
      description: `A policy engine that answers the REST API of OPA ${capabilitiesVersion.slice(1)}.`,
    },
    paths,
    components: { schemas: schemas as PlainObject, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{}, { bearer: [] }],
  };
});

const pathParameter = {
  name: 'path',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Segments with slashes between them.',
};

function operationJson({
  summary,
  parameters: names = [],
  body,
  bodyType,
  yaml,
  answers,
  answerTypes,
}: Operation): PlainObject {
  return {
    summary,
    ...(names.length > 0 && { parameters: names.map(parameterJson) }),
    ...((body !== undefined || bodyType !== undefined) && {
      requestBody: { content: bodyJson(body, bodyType, yaml === true) },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [status, answerJson(Number(status), schema, answerTypes)]),
    ),
  };
}

function parameterJson(name: ParameterName): PlainObject {
  const [type, description] = parameters[name];
  const schema: PlainObject = type === 'array' ? { type, items: { type: 'string' } } : { type };
  return { name, in: 'query', description, schema, ...(type === 'boolean' && { allowEmptyValue: true }) };
}

function bodyJson(schema: string | undefined, type = 'application/json', yaml = false): PlainObject {
  const content = { schema: schema === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${schema}` } };
  return { [type]: content, ...(yaml && { 'application/yaml': content }) };
}

function answerJson(status: number, schema: string, types: readonly string[] = json): PlainObject {
  const description = descriptions[status] ?? 'An answer.';
  if (schema === '') return { description };
  if (schema.includes('/')) return { description, content: { [schema]: { schema: { type: 'string' } } } };
  const content = { schema: { $ref: `#/components/schemas/${schema}` } };
  return { description, content: Object.fromEntries((status === 200 ? types : json).map((type) => [type, content])) };
}

const json: readonly string[] = ['application/json'];

const descriptions: { readonly [status: number]: string } = {
  200: 'Done.',
  207: 'Some decisions failed: each answer has its own status.',
  204: 'Done; there is nothing to say.',
  304: 'There is a document or a policy already, or it is the one that the client has.',
  400: 'The request is not right.',
  404: 'There is no such thing, or something is in its way.',
  412: 'A condition of the write does not hold.',
  500: 'The evaluation failed, or the server is not healthy.',
  501: 'The policy does not name what it permits.',
  503: 'The server has not the time or the room.',
};
