import { describe, expect, onTestFinished, test } from 'vitest';
import { CheckClient } from '../../../test/harness/envoy/check-client.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { Engine } from '../../index.js';
import { type CheckEvent, type CheckOptions, openChecks } from './index.js';

const policy = `package envoy.authz

default allow := false

allow := {"allowed": true, "headers": {"x-user": input.parsed_query.user[0]}} if {
	print("user", input.parsed_query.user[0])
	input.parsed_path == ["goods", "1"]
}

# METADATA
# labels:
#   severity: high
open if input.parsed_path[0] == "open"
`;

const check = (path: string) => ({ attributes: { request: { http: { method: 'GET', path } } } });

async function started(options: CheckOptions = {}) {
  const engine = await Engine.open({ policies: { 'p.rego': policy } });
  const checks = await openChecks(engine, options);
  const address = `127.0.0.1:${await freePort()}`;
  await checks.listen(address);
  const client = new CheckClient(address);
  onTestFinished(async () => {
    client.close();
    await checks.close(0);
    await engine.close();
  });
  return { engine, client };
}

describe('checks over an engine', () => {
  test('are decided by its policies, which may change', async () => {
    const { engine, client } = await started();
    expect(await client.check(check('/goods/1?user=ann'))).toMatchObject({
      response: { status: {}, okResponse: { headers: [{ header: { key: 'x-user', value: 'ann' } }] } },
    });
    expect(await client.check(check('/other'))).toMatchObject({ response: { status: { code: 7 } } });
    await engine.setPolicy('p.rego', 'package envoy.authz\n\nallow := true');
    expect(await client.check(check('/other'))).toMatchObject({ response: { status: {} } });
  });

  test('tell their decisions, errors and prints', async () => {
    const events: CheckEvent[] = [];
    const printed: unknown[][] = [];
    const { client } = await started({
      query: 'data.envoy.authz.open',
      onDecision: (event) => void events.push(event),
      onPrint: (...line) => void printed.push(line),
    });
    const { response } = await client.check(check('/open'));
    expect(await client.check(check('/goods/1?user=ann'))).toMatchObject({ error: { code: 2, message: 'undefined decision' } });
    await client.check(check('/%'));
    const { decision_id: id } = (response as unknown as { readonly dynamicMetadata: { readonly decision_id: string } }).dynamicMetadata;
    expect(events).toMatchObject([
      { decisionId: id, query: 'data.envoy.authz.open', result: true, ruleLabels: [{ severity: 'high' }] },
      { error: 'undefined decision', input: { parsed_path: ['goods', '1'] } },
      { error: 'invalid URL escape "%"', input: null },
    ]);
  });

  test('show what a policy prints, with the id of the decision', async () => {
    const ids: string[] = [];
    const printed: unknown[][] = [];
    const { client } = await started({
      onDecision: ({ decisionId }) => void ids.push(decisionId),
      onPrint: (...line) => void printed.push(line),
    });
    await client.check(check('/goods/1?user=ann'));
    expect(printed).toEqual([[expect.stringContaining('user ann'), ids[0], expect.stringMatching(/^p\.rego:\d+$/)]]);
  });

  test.each<[CheckOptions, string]>([
    [{ path: 'a', query: 'b' }, 'give a path or a query, not both'],
    [{ query: 'data.' }, 'query'],
    [{ protoDescriptor: '/no/such/file' }, '/no/such/file'],
  ])('%j cannot be', async (options, message) => {
    const engine = await Engine.open({ policies: {} });
    await expect(openChecks(engine, options)).rejects.toThrow(message);
    await engine.close();
  });
});
