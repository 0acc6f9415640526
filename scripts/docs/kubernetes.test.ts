import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../cli/args.js';
import { serverFlags } from '../../cli/server/flags.js';
import { Engine } from '../../library/index.js';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../services/config/service-config.js';
import { type Container, deployFolder, type Manifest, manifestsOf } from '../../test/harness/kubernetes/manifests.js';
import { MountedVolume } from '../../test/harness/kubernetes/volume.js';
import { serverProcess } from '../../test/harness/server/process.js';

const root = join(import.meta.dirname, '..', '..');
const admissionFolder = join(deployFolder, 'admission');
const admissionFiles = Object.fromEntries(
  readdirSync(admissionFolder).map((name) => [name, readFileSync(join(admissionFolder, name), 'utf8')]),
);

/** The manifest of a kind. */
const only = (manifests: readonly Manifest[], kind: string) => {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  expect(found).toHaveLength(1);
  return found[0]!;
};

/** Seconds that a flag of the container has, or its default. */
const seconds = ({ args }: Container, flag: string, standard: number) =>
  Number(args.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? standard);

describe.each(['server.yaml', 'admission.yaml'])('%s', (name) => {
  const manifests = manifestsOf(name);
  const { strategy, template } = only(manifests, 'Deployment').spec!;
  const { labels } = template!.metadata;
  const pod = template!.spec;
  const [container] = pod.containers;

  test('meets the Pod Security Standard that the admission policy asks for', async () => {
    const engine = await Engine.open(admissionFolder);
    expect(await engine.decide('restricted/violations', { spec: pod })).toEqual({ result: [] });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container!.securityContext!.readOnlyRootFilesystem).toBe(true);
  });

  test('starts the command with flags that it has', () => {
    expect(container!.args[0]).toBe('run');
    expect(parseArguments('run', serverFlags, container!.args.slice(1), {}).flags.on('server')).toBe(true);
  });

  test('asks for health where it is served', () => {
    const { args, ports, startupProbe, readinessProbe, livenessProbe } = container!;
    const address = args.find((arg) => arg.startsWith('--diagnostic-addr='))!;
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      expect(probe!.httpGet.path).toMatch(/^\/health(\?|$)/);
      expect(address.endsWith(`:${ports.find(({ name: port }) => port === probe!.httpGet.port)!.containerPort}`)).toBe(true);
    }
  });

  test('loses no request when it is rolled out', () => {
    expect(strategy!.rollingUpdate!.maxUnavailable).toBe(0);
    const wait = seconds(container!, 'shutdown-wait-period', 0);
    expect(wait).toBeGreaterThanOrEqual(5);
    // 13 seconds for the last logs, spans and metrics, as docs/deploy.md says.
    const needed = wait + seconds(container!, 'shutdown-grace-period', 10) + 13;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
  });

  test('spreads over nodes and zones, and keeps a replica when nodes are drained', () => {
    const keys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
    expect(pod.topologySpreadConstraints!.map(({ topologyKey }) => topologyKey)).toEqual(keys);
    for (const { labelSelector } of pod.topologySpreadConstraints!) expect(labelSelector.matchLabels).toEqual(labels);
    expect(only(manifests, 'PodDisruptionBudget').spec!.selector!.matchLabels).toEqual(labels);
  });

  test('has resources, and a network policy for each of its ports', () => {
    expect(container!.resources).toMatchObject({ requests: { cpu: expect.any(String), memory: expect.any(String) } });
    expect(container!.resources!.limits!.memory).toMatch(/^\d+[MG]i$/);
    const { podSelector, ingress } = only(manifests, 'NetworkPolicy').spec!;
    expect(podSelector!.matchLabels).toEqual(labels);
    const open = ingress!.flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(open.sort()).toEqual(container!.ports.map((port) => port.name).sort());
  });
});

test('server.yaml has a configuration without unknown keys', () => {
  const { data } = only(manifestsOf('server.yaml'), 'ConfigMap');
  expect(readConfig(parseConfig(data!['config.yaml']!, {})).warnings).toEqual([]);
});

describe('the webhook', () => {
  const manifests = manifestsOf('admission.yaml');
  const configuration = only(manifests, 'ValidatingWebhookConfiguration');
  const [webhook] = configuration.webhooks!;

  test('asks for pods as they are made and changed, and for ephemeral containers', () => {
    expect(webhook!.failurePolicy).toBe('Fail');
    expect(webhook!.rules).toMatchObject([{ operations: ['CREATE', 'UPDATE'], resources: ['pods', 'pods/ephemeralcontainers'] }]);
  });

  test('leaves out the namespaces that start before it, by a label that nobody can set', () => {
    const [{ key, values }] = webhook!.namespaceSelector.matchExpressions as [{ key: string; values: readonly string[] }];
    expect(key).toBe('kubernetes.io/metadata.name');
    expect(values).toContain('kube-system');
    expect(values).toContain(webhook!.clientConfig.service.namespace);
  });

  test('is reached by the names of its certificate', () => {
    const { name, namespace } = webhook!.clientConfig.service;
    expect(only(manifests, 'Service').metadata).toMatchObject({ name, namespace });
    const [, certificate] = manifestsOf('certificate.yaml').filter(({ kind }) => kind === 'Certificate');
    expect(certificate!.spec!.dnsNames).toContain(`${name}.${namespace}.svc`);
    expect(configuration.metadata.annotations).toEqual({
      'cert-manager.io/inject-ca-from': `${namespace}/${certificate!.metadata.name}`,
    });
    expect(JSON.stringify(only(manifests, 'Deployment'))).toContain(`"secretName":"${certificate!.spec!.secretName}"`);
  });
});

const review = (image: string) => {
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const object = { spec: { containers: [{ name: 'c', image, securityContext }] } };
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  return JSON.stringify({ request: { uid: 'u', operation: 'CREATE', kind, object } });
};

test('the admission policies come from a mounted ConfigMap, and may be changed there', { timeout: 60_000 }, async () => {
  const volume = new MountedVolume(admissionFiles);
  const { args } = only(manifestsOf('admission.yaml'), 'Deployment').spec!.template!.spec.containers[0]!;
  const given = args.slice(2).filter((arg) => !/^--(addr|diagnostic-addr|tls-|shutdown-)/.test(arg));
  const server = await serverProcess(...given.map((arg) => arg.replace('/policies', volume.path)));
  // The path as the API server asks for it.
  const allowed = async (image: string) => {
    const { status, body } = await server.ask('POST', '/?timeout=5s', review(image));
    expect(status).toBe(200);
    expect(body).toMatchObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'u' } });
    return (body as { response: { allowed: boolean } }).response.allowed;
  };
  expect([await allowed('registry.example.com/app:1'), await allowed('docker.io/app:1')]).toEqual([true, false]);
  volume.update({ ...admissionFiles, 'data.json': '{"registries": ["docker.io"]}' });
  await expect.poll(() => allowed('docker.io/app:1'), { timeout: 20_000 }).toBe(true);
  expect(await allowed('registry.example.com/app:1')).toBe(false);
  // Others in the cluster neither read nor write policies and data.
  const others = [
    ['GET', '/v1/policies'],
    ['PUT', '/v1/policies/admission.rego', 'package admission'],
    ['PUT', '/v1/data/registries', '["evil.example"]'],
    ['POST', '/v1/data/admission/deny', '{}'],
    ['POST', '/v1/query', '{"query": "data"}'],
  ] as const;
  for (const [method, path, body] of others) expect((await server.ask(method, path, body)).status).toBe(401);
});

test('the admission policies pass their tests', () => {
  const { status, stdout } = spawnSync(join(root, 'bin/writ'), ['test', admissionFolder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^PASS: \d{3}\/\d{3}$/m) });
});
