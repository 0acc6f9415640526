import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { pluginFaces } from '../../../test/harness/server/plugin-faces.js';
import type { PlainObject } from '../../../values/value.js';

/** A status service, which answers as it is told, and the updates that it has accepted. */
async function statusService() {
  const updates: PlainObject[] = [];
  const state = { status: 200 };
  const server = await serve(({ path, body }, response) => {
    response.statusCode = state.status;
    if (state.status === 200 && path !== '/logs') updates.push(JSON.parse(body.toString()) as PlainObject);
    response.end();
  });
  return { ...server, updates, state };
}

function configFor(url: string, directory: string, section: PlainObject = {}): PlainObject {
  return {
    services: { s: { url } },
    labels: { app: 'x' },
    bundles: { b: { resource: `file://${directory}` } },
    decision_logs: { console: true },
    status: { service: 's', ...section },
  };
}

const bundle = () => writeFiles(join(temporaryDirectory(), 'b'), { 'p.rego': 'package p\n\nx := 1\n', '.manifest': '{"revision": "r1"}' });

describe.each(pluginFaces)('%s', (_face, start) => {
  test('each change of status is sent, with all of it', async () => {
    const service = await statusService();
    const directory = bundle();
    const { trigger } = await start(configFor(service.url, directory));
    await eventually(() =>
      expect(service.updates.at(-1)).toEqual({
        labels: expect.objectContaining({ id: expect.any(String), version: expect.any(String) }),
        bundles: { b: expect.objectContaining({ name: 'b', active_revision: 'r1', last_successful_activation: expect.any(String) }) },
        metrics: { prometheus: {} },
        plugins: { bundle: { state: 'OK' }, decision_logs: { state: 'OK' }, discovery: { state: 'OK' }, status: { state: 'OK' } },
      }),
    );
    expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/status', headers: { 'content-type': 'application/json' } });
    writeFiles(directory, { 'p.rego': 'package p\n\nx :=\n' });
    await trigger();
    await eventually(() =>
      expect(service.updates.at(-1)).toMatchObject({ bundles: { b: { code: 'bundle_error', active_revision: 'r1' } } }),
    );
  });

  test('each upload of decision logs is followed by a status', async () => {
    const service = await statusService();
    const config = {
      ...configFor(service.url, bundle()),
      decision_logs: { service: 's', reporting: { min_delay_seconds: 0, max_delay_seconds: 0 } },
    };
    const { log } = await start(config);
    const statuses = () => service.requests.filter(({ path }) => path === '/status').length;
    await eventually(() => expect(service.updates.at(-1)).toMatchObject({ plugins: { bundle: { state: 'OK' } } }));
    for (const id of ['a', 'b']) {
      const before = statuses();
      log(id, 'p/x', { id });
      await eventually(() => expect(statuses()).toBe(before + 1));
    }
  });

  test('after a failure the newest status is sent again, and the plugin goes on', async () => {
    const service = await statusService();
    service.state.status = 500;
    const directory = bundle();
    const { lines, states, trigger } = await start(configFor(service.url, directory, { resource: '/own' }));
    await eventually(() => expect(lines.some(({ msg }) => String(msg).startsWith('Status update failed: '))).toBe(true));
    expect(states().get('status')).toEqual({ state: 'OK' });
    writeFiles(directory, { '.manifest': '{"revision": "r2"}' });
    service.state.status = 200;
    await trigger();
    await eventually(() => expect(service.updates.at(-1)).toMatchObject({ bundles: { b: { active_revision: 'r2' } } }));
    expect(service.requests.every(({ path }) => path === '/own')).toBe(true);
  });

  test('with trigger manual, triggers alone send it', async () => {
    const service = await statusService();
    const { trigger } = await start(configFor(service.url, bundle(), { trigger: 'manual' }));
    expect(service.requests).toHaveLength(0);
    await trigger();
    expect(service.updates).toMatchObject([{ bundles: { b: { active_revision: 'r1' } } }]);
  });
});
