/** JSON Schemas (draft 2020-12) of requests and answers. Tests check answers with them. */

type Schema = { readonly [keyword: string]: unknown };

const anything: Schema = {};
const string: Schema = { type: 'string' };
const anyObject: Schema = { type: 'object' };

function object(properties: { readonly [name: string]: Schema }, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const metrics: Schema = {
  type: 'object',
  additionalProperties: { type: 'number' },
  description: 'Timers in nanoseconds, and counters.',
};

export const schemas: { readonly [name: string]: Schema } = {
  Document: { description: 'Any JSON value.' },
  Error: object(
    {
      code: { type: 'string' },
      message: string,
      errors: { type: 'array', items: ref('ErrorDetail') },
    },
    ['code', 'message'],
  ),
  ErrorDetail: object({ code: string, message: string, location: ref('Location'), details: anything }, [
    'code',
    'message',
  ]),
  Location: object({ file: string, row: { type: 'integer' }, col: { type: 'integer' } }, ['file', 'row', 'col']),
  Metrics: metrics,
  Provenance: object({
    version: string,
    build_commit: string,
    build_timestamp: string,
    build_host: string,
    build_hostname: string,
    bundles: { type: 'object', additionalProperties: object({ revision: string }) },
  }),
  DataRequest: object({ input: ref('Document') }),
  Decision: object({
    result: { description: 'The document; left out where it is undefined.' },
    decision_id: string,
    metrics: ref('Metrics'),
    provenance: ref('Provenance'),
    warning: object({ code: string, message: string }, ['code', 'message']),
  }),
  BatchRequest: object(
    {
      inputs: { type: 'object', additionalProperties: ref('Document'), description: 'Inputs by any key.' },
      common_input: { description: 'An object that is merged into each input; members of the input win.' },
    },
    ['inputs'],
  ),
  BatchAnswer: object(
    {
      batch_decision_id: string,
      responses: {
        type: 'object',
        additionalProperties: ref('BatchedDecision'),
        description: 'By the keys of the inputs.',
      },
      metrics: ref('Metrics'),
    },
    ['responses'],
  ),
  BatchedDecision: object({
    http_status_code: { enum: ['200', '500'], description: 'Only where some decisions failed.' },
    result: { description: 'The document; left out where it is undefined.' },
    decision_id: string,
    metrics: ref('Metrics'),
    provenance: ref('Provenance'),
    code: string,
    message: string,
    errors: { type: 'array', items: ref('ErrorDetail') },
  }),
  AccessRequest: object(
    { subject: ref('AccessEntity'), action: ref('AccessAction'), resource: ref('AccessEntity'), context: anyObject },
    ['subject', 'action', 'resource'],
  ),
  AccessEntity: object({ type: string, id: string, properties: anyObject }, ['type', 'id']),
  AccessAction: object({ name: string, properties: anyObject }, ['name']),
  AccessAnswer: object({ decision: { type: 'boolean' }, context: anyObject }, ['decision']),
  AccessEvaluations: object({
    subject: anyObject,
    action: anyObject,
    resource: anyObject,
    context: anyObject,
    evaluations: { type: 'array', items: { type: 'object' }, description: 'Requests; those above are their defaults.' },
    options: object({
      evaluations_semantic: { enum: ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] },
    }),
  }),
  AccessSearch: object({
    subject: anyObject,
    action: anyObject,
    resource: anyObject,
    context: anyObject,
    page: object({ token: string, limit: { type: 'integer', minimum: 0 } }),
  }),
  AccessSearchAnswer: object(
    {
      page: object({ next_token: string, count: { type: 'integer' } }, ['next_token']),
      results: { type: 'array', items: { type: 'object' } },
    },
    ['results'],
  ),
  AccessEvaluationsAnswer: object({
    evaluations: { type: 'array', items: ref('AccessAnswer') },
    decision: { type: 'boolean', description: 'Where there is one request.' },
    context: anyObject,
  }),
  DataChange: object({ metrics: ref('Metrics') }),
  Patch: {
    type: 'array',
    items: object({ op: { enum: ['add', 'remove', 'replace'] }, path: string, value: ref('Document') }, ['op', 'path']),
  },
  Policy: object({ id: string, raw: string, ast: { type: 'object' } }, ['id', 'raw', 'ast']),
  PolicyAnswer: object({ result: ref('Policy') }, ['result']),
  PolicyList: object({ result: { type: 'array', items: ref('Policy') } }, ['result']),
  PolicyChange: object({ metrics: ref('Metrics') }),
  Transaction: object(
    {
      operations: {
        type: 'array',
        items: object(
          {
            method: { enum: ['PUT', 'PATCH', 'DELETE'] },
            path: {
              type: 'string',
              description: 'Of the request that writes this alone: `/v1/data/a/b`, `/v1/policies/p.rego`.',
            },
            body: { description: 'Its body: a document, a patch, or the text of a policy.' },
            if_match: string,
            if_none_match: string,
          },
          ['method', 'path'],
        ),
      },
    },
    ['operations'],
  ),
  TransactionAnswer: object({ revision: { type: 'integer' }, metrics: ref('Metrics') }, ['revision']),
  QueryRequest: object({ query: string, input: ref('Document') }, ['query']),
  QueryAnswer: object({ result: { type: 'array', items: { type: 'object' } }, metrics: ref('Metrics') }),
  CompileRequest: object(
    { query: string, input: ref('Document'), options: { type: 'object' }, unknowns: { type: 'array', items: string } },
    ['query'],
  ),
  CompileAnswer: object(
    {
      result: object({
        queries: { type: 'array', items: { type: 'array' } },
        support: { type: 'array', items: { type: 'object' } },
      }),
      metrics: ref('Metrics'),
    },
    ['result'],
  ),
  FilterRequest: object({
    input: ref('Document'),
    unknowns: { type: 'array', items: string },
    options: object({
      maskRule: string,
      targetDialects: {
        type: 'array',
        items: string,
        description: 'Such as `sql+postgresql` and `ucast+all`, for several targets.',
      },
      targetSQLTableMappings: { type: 'object', description: 'Names by table and column, or such by dialect.' },
    }),
  }),
  FilterAnswer: object({
    result: {
      type: 'object',
      description:
        '`query` and `masks`, or these by target. Left out where no rows are allowed. An empty query allows each row.',
    },
    hints: { type: 'array', items: object({ message: string, location: ref('Location') }, ['message', 'location']) },
    metrics: ref('Metrics'),
  }),
  Health: object({ error: string }),
  ConfigAnswer: object({ result: { type: 'object' } }, ['result']),
  Draft: object({
    policies: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    data: { type: 'object' },
  }),
  ChangeReport: object(
    { old: string, new: string, outcome: { enum: ['same', 'differs', 'unknown'] }, replay: { type: 'object' } },
    ['old', 'new', 'outcome', 'replay'],
  ),
  StatusAnswer: object({ result: { type: 'object' } }, ['result']),
};
