import { expect, test } from 'vitest';
import { testServer } from '../../test/harness/server/app.js';
import { Logger, type LogLevel } from '../services/logs/logger.js';

async function linesAt(level: LogLevel, path: string, body: string, headers: Record<string, string> = {}): Promise<readonly object[]> {
  const lines: object[] = [];
  const logger = new Logger({ level, format: 'json', write: (text) => lines.push(JSON.parse(text) as object) });
  const { ask } = await testServer({ policies: { 'p.rego': 'package p\n\nx := input.x\n' }, logger });
  await ask('POST', path, body, headers);
  return lines;
}

test('a request is logged when it comes and when it is answered, with one id', async () => {
  const lines = await linesAt('info', '/v1/data/p/x?metrics=false', '{"input":{"x":"é"}}');
  const request = { client_addr: '', level: 'info', req_id: 1, req_method: 'POST', req_path: '/v1/data/p/x', time: expect.any(String) };
  expect(lines).toEqual([
    { ...request, msg: 'Received request.' },
    { ...request, msg: 'Sent response.', resp_status: 200, resp_duration: expect.any(Number), resp_bytes: 16 },
  ]);
});

test('at level debug the log has bodies and parameters', async () => {
  const [received, sent] = await linesAt('debug', '/v1/data/p/x?a=1&a=2&b', '{"input":{"x":1}}');
  expect(received).toMatchObject({ req_body: '{"input":{"x":1}}', req_params: { a: ['1', '2'], b: [''] } });
  expect(sent).toMatchObject({ resp_body: '{"result":1}\n', resp_bytes: 13 });
});

test('a compressed answer is not shown, and counts as it is sent', async () => {
  const text = JSON.stringify({ input: { x: 'long '.repeat(1000) } });
  const [, sent] = (await linesAt('debug', '/v1/data/p/x', text, { 'accept-encoding': 'gzip' })) as { resp_bytes: number }[];
  expect(sent).toMatchObject({ resp_body: '[compressed payload]' });
  expect(sent!.resp_bytes).toBeLessThan(500);
});

test('nothing is logged of requests at level error', async () => {
  expect(await linesAt('error', '/v1/data/p/x', '{}')).toEqual([]);
});
