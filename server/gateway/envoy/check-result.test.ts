import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../values/json/json.js';
import type { Value } from '../../../values/value.js';
import { allowing, ResultError, responseOf } from './check-result.js';

const header = (key: string, value: string) => ({ header: { key, value } });

describe('a decision that allows', () => {
  test.each<[string, object]>([
    ['true', { status: {} }],
    [
      '{"allowed": true, "headers": {"a": "1", "b": ["2", "3"]}}',
      { okResponse: { headers: [header('a', '1'), header('b', '2'), header('b', '3')] } },
    ],
    ['{"allowed": true, "headers": [{"a": "1"}, {"a": ["2"]}]}', { okResponse: { headers: [header('a', '1'), header('a', '2')] } }],
    ['{"allowed": true, "response_headers_to_add": {"a": "1"}}', { okResponse: { responseHeadersToAdd: [header('a', '1')] } }],
    ['{"allowed": true, "request_headers_to_remove": ["a"]}', { okResponse: { headersToRemove: ['a'] } }],
    [
      '{"allowed": true, "query_parameters_to_set": {"a": ["1", "2"], "b": ""}}',
      {
        okResponse: {
          queryParametersToSet: [
            { key: 'a', value: '1' },
            { key: 'a', value: '2' },
            { key: 'b', value: '' },
          ],
        },
      },
    ],
    ['{"allowed": true, "query_parameters_to_remove": ["a"]}', { okResponse: { queryParametersToRemove: ['a'] } }],
    ['{"allowed": true, "dynamic_metadata": {"a": [1]}}', { dynamicMetadata: { a: [1] } }],
    ['{"allowed": true, "body": 5, "http_status": "x"}', { status: {} }],
    [
      '{"allowed": true, "headers": {":path": "/b", "x": "a\\té"}}',
      { okResponse: { headers: [header(':path', '/b'), header('x', 'a\té')] } },
    ],
  ])('%s', (decision, response) => {
    expect(responseOf(parseJson(decision))).toMatchObject(response);
  });
});

describe('a decision that denies', () => {
  test.each<[string, object]>([
    ['false', { status: { code: 7 } }],
    ['{"allowed": false}', { status: { code: 7 }, deniedResponse: { status: { code: 403 }, headers: [] } }],
    ['{"allowed": false, "body": "no", "http_status": 401}', { deniedResponse: { status: { code: 401 }, body: 'no' } }],
    ['{"allowed": false, "http_status": 4.04e2}', { deniedResponse: { status: { code: 404 } } }],
    ['{"allowed": false, "request_headers_to_remove": 5}', { deniedResponse: { status: { code: 403 } } }],
  ])('%s', (decision, response) => {
    expect(responseOf(parseJson(decision))).toMatchObject(response);
  });

  test.each([100, 204, 205, 304])('has no body with the status %i, which has none', (code) => {
    const { deniedResponse } = responseOf({ allowed: false, http_status: code, body: 'HTTP/1.1 200 OK' });
    expect(deniedResponse).toEqual({ status: { code }, headers: [] });
  });
});

test.each([
  ['null', 'failed to get response status: illegal value for policy evaluation result: null'],
  ['[]', 'failed to get response status: illegal value for policy evaluation result: array'],
  ['{}', 'failed to get response status: unable to determine evaluation result due to missing "allowed" key'],
  ['{"allowed": 1}', "failed to get response status: type assertion error, expected allowed to be of type 'boolean' but got 'number'"],
  [
    '{"allowed": true, "headers": "x"}',
    "failed to get response headers: type assertion error, expected headers to be of type 'object' but got 'string'",
  ],
  ['{"allowed": true, "headers": {"a": 1}}', "failed to get response headers: type assertion error for header 'a'"],
  ['{"allowed": false, "headers": {"a": [1]}}', "failed to get response headers: invalid value type number for header 'a'"],
  [
    '{"allowed": true, "request_headers_to_remove": [1]}',
    "failed to get request headers to remove: type assertion error, expected request_headers_to_remove value to be of type 'string' but got 'number'",
  ],
  [
    '{"allowed": true, "query_parameters_to_set": []}',
    "failed to get request query parameters to set: type assertion error, expected query_parameters_to_set to be a map but got 'array'",
  ],
  [
    '{"allowed": false, "dynamic_metadata": 1}',
    "failed to get dynamic metadata: type assertion error, expected dynamic_metadata to be of type 'object' but got 'number'",
  ],
  [
    '{"allowed": false, "body": 1}',
    "failed to get response body: type assertion error, expected body to be of type 'string' but got 'number'",
  ],
  [
    '{"allowed": false, "http_status": 401.5}',
    'failed to get response http status: error converting JSON number to int: 401.5 is no integer',
  ],
  ['{"allowed": false, "http_status": 418}', 'failed to get response http status: invalid HTTP status code 418'],
  [
    '{"allowed": false, "headers": {"location": "/x\\r\\nset-cookie: a=b"}}',
    'failed to get response headers: invalid value for header \'location\': the character "\\r" at 2',
  ],
  [
    '{"allowed": true, "headers": [{"a": ["1", "2\\n"]}]}',
    'failed to get response headers: invalid value for header \'a\': the character "\\n" at 1',
  ],
  [
    '{"allowed": true, "response_headers_to_add": {"x-page": "\\u0000"}}',
    'failed to get response headers to send to client: invalid value for header \'x-page\': the character "\\u0000" at 0',
  ],
  ['{"allowed": true, "headers": {"x-us er": "a"}}', 'failed to get response headers: invalid header name "x-us er"'],
  ['{"allowed": true, "headers": {"x\\r\\ny": "a"}}', 'failed to get response headers: invalid header name "x\\r\\ny"'],
  ['{"allowed": true, "headers": {"": "a"}}', 'failed to get response headers: invalid header name ""'],
  [
    '{"allowed": true, "headers": {"Content-Length": "0"}}',
    'failed to get response headers: header "Content-Length" belongs to the connection',
  ],
  ['{"allowed": true, "headers": {"host": "a"}}', 'failed to get response headers: header "host" belongs to the connection'],
  ['{"allowed": true, "headers": {":authority": "a"}}', 'failed to get response headers: invalid header name ":authority"'],
  ['{"allowed": false, "headers": {":path": "/a"}}', 'failed to get response headers: invalid header name ":path"'],
  [
    '{"allowed": true, "headers": {":path": "/a HTTP/1.1"}}',
    'failed to get response headers: invalid value for header \':path\': "/a HTTP/1.1"',
  ],
  [
    '{"allowed": true, "headers": {":path": "http://other/a"}}',
    'failed to get response headers: invalid value for header \':path\': "http://other/a"',
  ],
  [
    '{"allowed": true, "headers": {":method": ["GET", "GET /"]}}',
    'failed to get response headers: invalid value for header \':method\': "GET /"',
  ],
  ['{"allowed": true, "headers": {":scheme": "file"}}', 'failed to get response headers: invalid value for header \':scheme\': "file"'],
  [
    '{"allowed": true, "request_headers_to_remove": ["transfer-encoding"]}',
    'failed to get request headers to remove: header "transfer-encoding" belongs to the connection',
  ],
  ['{"allowed": true, "request_headers_to_remove": [":path"]}', 'failed to get request headers to remove: invalid header name ":path"'],
  [
    '{"allowed": true, "query_parameters_to_set": {"user": ["a", "b&admin=1"]}}',
    'failed to get request query parameters to set: invalid query parameter "b&admin=1": "&" must be escaped (urlquery.encode)',
  ],
  [
    '{"allowed": true, "query_parameters_to_set": {"role=admin&a": "b"}}',
    'failed to get request query parameters to set: invalid query parameter "role=admin&a": "=" must be escaped (urlquery.encode)',
  ],
  [
    '{"allowed": true, "query_parameters_to_remove": ["a b"]}',
    'failed to get request query parameters to remove: invalid query parameter "a b": " " must be escaped (urlquery.encode)',
  ],
  [
    '{"allowed": true, "dynamic_metadata": {"a": [1e400]}}',
    'failed to get dynamic metadata: dynamic_metadata: the number 1e400 is too large',
  ],
  [
    `{"allowed": true, "dynamic_metadata": {"a": ${'['.repeat(60)}${']'.repeat(60)}}}`,
    'failed to get dynamic metadata: dynamic_metadata is nested too deeply',
  ],
])('%s is an error', (decision, message) => {
  expect(() => responseOf(parseJson(decision))).toThrow(new ResultError(message));
});

test.each<[Value, object]>([
  [true, { status: {} }],
  [false, { status: {}, okResponse: {} }],
  [
    { allowed: false, dynamic_metadata: { a: 1 } },
    { status: {}, okResponse: {}, dynamicMetadata: { a: 1 } },
  ],
])('where nothing is enforced, %j is %j', (decision, response) => {
  expect(allowing(responseOf(decision))).toEqual(response);
});
