import { describe, expect, test } from 'vitest';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { type PluginFace, pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { started } from '../../../test/harness/server/plugins.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import type { PlainObject } from '../../../values/value.js';
import { readConfig } from '../../control/server-config.js';
import { discoveredConfigOf } from '../config/discovered-config.js';
import { parsePlugins } from '../config/plugins-config.js';

const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };
const manifest = (root: string) => JSON.stringify({ revision: 'r', roots: [root] });

async function running(start: StartPlugins, config: PlainObject): Promise<PluginFace> {
  const plugins = await start(config);
  await plugins.settled();
  return plugins;
}

/** The same, and the configurations that were taken over. */
async function taking(config: PlainObject) {
  const taken: PlainObject[] = [];
  const boot = readConfig(config);
  const discover = (discovered: PlainObject) => {
    const next = discoveredConfigOf(boot, discovered, readConfig);
    return { ...next, apply: () => void taken.push(next.settings.shownConfig) };
  };
  const plugins = await started(config, { discover });
  await plugins.manager.settled();
  return { ...plugins, taken };
}

/** A discovery service, a service of one bundle, and the configuration of the start. */
async function services() {
  const [discovery, policies] = [await BundleService.start(), await BundleService.start()];
  await policies.put('"1"', { '/a/p.rego': 'package a\n\nx := 1\n', '/.manifest': manifest('a') });
  const boot = {
    services: { d: { url: discovery.url, credentials: { bearer: { token: 'secret' } } } },
    labels: { region: 'west' },
    discovery: { service: 'd', resource: 'discovery.tar.gz', decision: 'config/main', ...often },
  };
  return { discovery, policies, boot };
}

function policy(policies: BundleService, bundles: string): { readonly [name: string]: string } {
  return {
    '/config/p.rego': `package config

main := {
  "services": {"p": {"url": "${policies.url}"}},
  "bundles": ${bundles},
  "labels": {"app": opa.runtime().version, "region": "east"},
  "default_decision": "a/x",
  "status": {"console": true, "service": "p"},
}
`,
    '/.manifest': manifest('config'),
  };
}

const fast = '{"b": {"service": "p", "polling": {"min_delay_seconds": 0, "max_delay_seconds": 0}}}';

tellTestsApart();

describe.concurrent.each(pluginFaces)('%s', (_face, start) => {
  describe('a discovered configuration', () => {
    test.each([
      ['main := {"services": {"d": {"url": "http://evil"}}}', 'updates to the service "d"'],
      ['main := {"bundles": {"b": {"service": "none"}}}', 'service name "none" not found'],
      ['main := {"default_decision": 5}', 'default_decision: must be string'],
      ['main := [1]', 'the configuration must be an object but is array'],
      ['other := 1', 'the document data.config.main is undefined'],
      ['main := 1 +', 'rego_parse_error'],
    ])('%s is refused, and the last one stays', async (rule, message) => {
      const { discovery, policies, boot } = await services();
      await discovery.put('"1"', policy(policies, fast));
      const plugins = await running(start, boot);
      await discovery.put('"2"', { '/config/p.rego': `package config\n\n${rule}\n`, '/.manifest': manifest('config') });
      const status = () => (plugins.status() as { discovery: PlainObject }).discovery;
      await eventually(() => expect(status()).toHaveProperty('message'));
      expect(JSON.stringify(status()).replaceAll('\\', '')).toContain(message);
      expect(await plugins.decide('a/x')).toBe(1);
      expect(plugins.states().get('discovery')).toEqual({ state: 'OK' });
      await eventually(() => expect(discovery.requests.at(-1)!.headers['if-none-match']).toBe('"1"'));
      await discovery.put('"3"', policy(policies, fast));
      await eventually(() => expect(status()).not.toHaveProperty('message'));
    });
  });

  test('without a decision, all documents of the bundle are the configuration', async () => {
    const { discovery, policies, boot } = await services();
    const data = { services: { p: { url: policies.url } }, bundles: { b: { service: 'p' } } };
    await discovery.put('"1"', { '/data.json': JSON.stringify(data) });
    const plugins = await running(start, { ...boot, discovery: { service: 'd', resource: 'discovery.tar.gz' } });
    expect(await plugins.decide('a/x')).toBe(1);
  });

  test('an older configuration names a bundle and a prefix', async () => {
    const { discovery, policies, boot } = await services();
    await discovery.put('"1"', policy(policies, fast));
    const plugins = await running(start, { ...boot, discovery: { name: 'config/main', prefix: 'old', ...often } });
    expect(discovery.requests[0]!.path).toBe('/old/config/main');
    expect(await plugins.decide('a/x')).toBe(1);
  });

  test('with trigger manual, it is fetched when it is triggered alone, and so are its bundles', async () => {
    const { discovery, policies, boot } = await services();
    await discovery.put('"1"', policy(policies, '{"b": {"service": "p"}}'));
    const { trigger, states, decide } = await running(start, { ...boot, discovery: { ...boot.discovery, trigger: 'manual' } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([discovery.requests, policies.requests]).toEqual([[], []]);
    expect(states().get('discovery')).toEqual({ state: 'NOT_READY' });
    await trigger();
    expect(discovery.requests).toHaveLength(1);
    expect(await decide('a/x')).toBe(1);
    expect(states().get('discovery')).toEqual({ state: 'OK' });
  });

  test('readiness waits for it', async () => {
    const { discovery, boot } = await services();
    discovery.failing = (_, response) => response.writeHead(503).end();
    const { isReady, states } = await running(start, boot);
    expect(isReady()).toBe(false);
    expect(states().get('discovery')).toEqual({ state: 'NOT_READY' });
  });

  test('a saved one counts while its service is down', async () => {
    const { discovery, policies, boot } = await services();
    await discovery.put('"1"', policy(policies, fast));
    const persistent = {
      ...boot,
      discovery: { ...boot.discovery, persist: true },
      persistence_directory: temporaryDirectory(),
    };
    const first = await running(start, persistent);
    await first.stop();
    await discovery.close();
    const second = await running(start, persistent);
    await eventually(async () => expect(await second.decide('a/x')).toBe(1));
  });
});

test('is evaluated and applied, and again when its bundle changes', async () => {
  const { discovery, policies, boot } = await services();
  await discovery.put('"1"', policy(policies, fast));
  const plugins = await taking(boot);
  expect(await plugins.decide('a/x')).toBe(1);
  expect(plugins.manager.bundlesActivated()).toBe(true);
  expect([...plugins.manager.states().keys()]).toEqual(['bundle', 'discovery', 'status']);
  expect(plugins.taken[0]).toMatchObject({ default_decision: 'a/x', labels: { region: 'west' } });
  expect(JSON.stringify(plugins.taken)).not.toContain('secret');
  const { discovery: status, labels } = plugins.manager.status() as { discovery: PlainObject; labels: PlainObject };
  expect(status).toMatchObject({ name: 'discovery', active_revision: 'r', last_successful_activation: expect.stringMatching(/^20/) });
  expect(labels).toMatchObject({ region: 'west' });
  expect(plugins.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('"labels.region" is overridden') }));

  // An unchanged plugin goes on: the bundle is not fetched anew.
  await discovery.put('"2"', policy(policies, fast.replace('}}}', '}, "resource": "bundles/b"}}')));
  await eventually(() => expect(plugins.taken).toHaveLength(2));
  const full = policies.requests.filter(({ method, headers }) => method === 'GET' && headers['if-none-match'] === undefined);
  expect(full).toHaveLength(1);

  await discovery.put('"3"', policy(policies, '{}'));
  await eventually(async () => expect(await plugins.decide('a/x')).toBeUndefined());
  expect(plugins.manager.states().has('bundle')).toBe(false);
});

test('variables of the environment are replaced in it, at any depth; those that are not set stay', async () => {
  const { discovery, boot } = await services();
  process.env.WRIT_TEST_APP = 'a "quoted" \\ text';
  process.env.WRIT_TEST_KEY = 'app';
  try {
    const variable = (name: string) => `$\{WRIT_TEST_${name}}`;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration's own syntax
    const labels = { [variable('KEY')]: `x-${variable('APP')}`, b: variable('NONE'), c: '${toString}${}', d: '$WRIT_TEST_KEY' };
    const rule = `main := {"labels": ${JSON.stringify(labels)}, "decision_logs": {"mask_decision": concat("", ["/$", "{WRIT_TEST_KEY}/m"])}}`;
    await discovery.put('"1"', { '/config/p.rego': `package config\n\n${rule}\n`, '/.manifest': manifest('config') });
    const { taken } = await taking(boot);
    expect(taken[0]).toMatchObject({
      labels: { app: 'x-a "quoted" \\ text', b: labels.b, c: labels.c, d: labels.d, region: 'west' },
      decision_logs: { mask_decision: '/app/m' },
    });
  } finally {
    delete process.env.WRIT_TEST_APP;
    delete process.env.WRIT_TEST_KEY;
  }
});
test('its mode of triggers is that of all plugins', () => {
  const config = (more: PlainObject) => ({
    services: { s: { url: 'http://s' } },
    discovery: { resource: 'd', trigger: 'manual' },
    bundles: { b: { ...more } },
    status: { ...more },
    decision_logs: { reporting: { ...more } },
  });
  for (const more of [{}, { trigger: 'manual' }]) {
    const { bundles, status, decisionLogs } = parsePlugins(config(more));
    expect([bundles.get('b')!.trigger, status!.target!.trigger, decisionLogs!.upload!.reporting.trigger]).toEqual(Array(3).fill('manual'));
  }
  expect(() => parsePlugins(config({ trigger: 'periodic' }))).toThrow(
    'invalid configuration for bundle "b": trigger mode mismatch: "periodic", but discovery has "manual"',
  );
  const { bundles: _, status: __, ...logs } = config({ trigger: 'immediate' });
  expect(() => parsePlugins(logs)).toThrow('invalid decision_log config: invalid trigger mode "immediate"');
});
test('with a resource, the name of an older configuration is no decision', () => {
  const discovery = { name: 'example', resource: 'd.tar.gz' };
  expect(parsePlugins({ services: { s: { url: 'http://s' } }, discovery }).discovery!.decision).toEqual([]);
});
