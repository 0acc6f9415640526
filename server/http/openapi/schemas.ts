/** JSON Schemas (draft 2020-12) of requests and answers. Tests check answers with them. */

type Schema = { readonly [keyword: string]: unknown };

const anything: Schema = {};
const string: Schema = { type: 'string' };

function object(properties: { readonly [name: string]: Schema }, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const metrics: Schema = { type: 'object', additionalProperties: { type: 'number' }, description: 'Timers in nanoseconds, and counters.' };

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
  ErrorDetail: object({ code: string, message: string, location: ref('Location'), details: anything }, ['code', 'message']),
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
  DataChange: object({ metrics: ref('Metrics') }),
  Patch: {
    type: 'array',
    items: object({ op: { enum: ['add', 'remove', 'replace'] }, path: string, value: ref('Document') }, ['op', 'path']),
  },
  Policy: object({ id: string, raw: string, ast: { type: 'object' } }, ['id', 'raw', 'ast']),
  PolicyAnswer: object({ result: ref('Policy') }, ['result']),
  PolicyList: object({ result: { type: 'array', items: ref('Policy') } }, ['result']),
  PolicyChange: object({ metrics: ref('Metrics') }),
  QueryRequest: object({ query: string, input: ref('Document') }, ['query']),
  QueryAnswer: object({ result: { type: 'array', items: { type: 'object' } }, metrics: ref('Metrics') }),
  CompileRequest: object(
    { query: string, input: ref('Document'), options: { type: 'object' }, unknowns: { type: 'array', items: string } },
    ['query'],
  ),
  CompileAnswer: object(
    {
      result: object({ queries: { type: 'array', items: { type: 'array' } }, support: { type: 'array', items: { type: 'object' } } }),
      metrics: ref('Metrics'),
    },
    ['result'],
  ),
  Health: object({ error: string }),
  ConfigAnswer: object({ result: { type: 'object' } }, ['result']),
  StatusAnswer: object({ result: { type: 'object' } }, ['result']),
};
