import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../cli/args.js';
import { serverFlags } from '../../cli/server/server-flags.js';
import { Engine } from '../../library/index.js';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../server/services/config/service-config.js';
import { temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { type Container, deployFolder, type Manifest, manifestsIn } from '../../test/harness/kubernetes/manifests.js';
import { hasDeployTool, runDeployTool } from '../../test/harness/kubernetes/tools.js';
import { MountedVolume } from '../../test/harness/kubernetes/volume.js';
import { freePort } from '../../test/harness/server/free-port.js';
import { serverProcess } from '../../test/harness/server/process.js';

const root = join(import.meta.dirname, '..', '..');
const admissionFolder = join(deployFolder, 'admission');
const admissionFiles = Object.fromEntries(
  readdirSync(admissionFolder).map((name) => [name, readFileSync(join(admissionFolder, name), 'utf8')]),
);

/** The manifest of a kind. */
const only = (manifests: readonly Manifest[], kind: string) => {
  const found = manifests.filter((manifest) => manifest.kind === kind && !manifest.metadata.name.endsWith('-metrics'));
  expect(found).toHaveLength(1);
  return found[0]!;
};

/** Seconds that a flag of the container has, or its default. */
const seconds = ({ args }: Container, flag: string, standard: number) =>
  Number(args.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? standard);

const hasHelm = hasDeployTool('helm');
const hasValidator = hasDeployTool('kubernetes-validate');
const chart = join(deployFolder, 'helm/writ');

const withAdmission = ['tls.enabled=true', 'admission.enabled=true', 'authorization=basic', 'policiesConfigMap=admission-policies'];
/** Values of the chart, as `--set` has them. */
const charts: Readonly<Record<string, readonly string[]>> = {
  'the chart': [],
  'the chart with policies': ['policies.p\\.rego=package p', 'config.decision_logs.console=true', 'args={--workers=2}'],
  'the chart with all else': [
    ...['image.tag=1.2.3', 'replicas=2', 'tls.enabled=true', 'tls.secretName=mine', 'tls.certManager.issuer.name=ours'],
    ...['serviceMonitor.enabled=true', 'serviceMonitor.labels.release=prometheus', 'priorityClassName=high', 'podLabels.team=a'],
    ...['podAnnotations.a=b', 'nodeSelector.disk=ssd', 'tolerations[0].operator=Exists', 'env[0].name=A', 'env[0].value=b'],
    ...['envFrom[0].secretRef.name=s', 'image.pullSecrets[0].name=r', 'service.type=LoadBalancer', 'service.annotations.a=b'],
    ...['volumes[0].name=v', 'volumes[0].emptyDir.medium=Memory', 'volumeMounts[0].name=v', 'volumeMounts[0].mountPath=/v'],
    ...['shutdownWaitSeconds=20', 'shutdownGraceSeconds=30', 'networkPolicy.from[0].podSelector.matchLabels.a=b', 'configSecret=c'],
  ],
  'the chart of a cluster that chooses users': ['runAsUser=null'],
  'the chart with a webhook': withAdmission,
};

const render = (values: readonly string[]) =>
  runDeployTool('helm', ['template', 'policies', chart, '-n', 'writ', ...values.flatMap((value) => ['--set', value])]);

function rendered(name: string): string {
  const { status, text, errors } = render(charts[name]!);
  if (status !== 0) throw new Error(errors);
  return text;
}

const texts = new Map<string, string>([
  ...readdirSync(join(deployFolder, 'kubernetes')).map(
    (name) => [name, readFileSync(join(deployFolder, 'kubernetes', name), 'utf8')] as const,
  ),
  ...(hasHelm ? Object.keys(charts) : []).map((name) => [name, rendered(name)] as const),
]);
const withPods = [...texts.keys()].filter((name) => name !== 'certificate.yaml');
const manifestsOf = (name: string) => manifestsIn(texts.get(name)!);

function validate(text: string): { readonly status: number | null; readonly problems: string } {
  const file = join(writeFiles(temporaryDirectory(), { 'manifests.yaml': text }), 'manifests.yaml');
  const { status, text: found, errors } = runDeployTool('kubernetes-validate', ['--strict', file]);
  return { status, problems: status === 0 ? '' : found + errors };
}

// It knows the kinds of Kubernetes, not those of cert-manager and the Prometheus Operator.
describe.runIf(hasValidator)('kubernetes-validate', () => {
  test.each([...texts.keys()])('takes %s', (name) => {
    expect(validate(texts.get(name)!)).toEqual({ status: 0, problems: '' });
  });

  test('finds what is wrong', () => {
    expect(validate(texts.get('server.yaml')!.replace('maxSurge', 'maxSurges'))).toMatchObject({
      status: 1,
      problems: expect.stringContaining('maxSurges'),
    });
  });
});

describe.each(withPods)('%s', (name) => {
  const manifests = manifestsOf(name);
  const { strategy, selector, template } = only(manifests, 'Deployment').spec!;
  const labels = selector!.matchLabels!;
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

  test('is chosen by its own labels', () => {
    expect(template!.metadata.labels).toMatchObject(labels);
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

  test('mounts the volumes that it has', () => {
    const { volumes } = pod;
    expect(container!.volumeMounts.map((mount) => mount.name).sort()).toEqual(volumes.map((volume) => volume.name).sort());
  });
});

test('server.yaml has a configuration without unknown keys', () => {
  const { data } = only(manifestsOf('server.yaml'), 'ConfigMap');
  expect(readConfig(parseConfig(data!['config.yaml']!, {})).warnings).toEqual([]);
});

const certificates = [...texts.keys()].filter((name) => name === 'certificate.yaml' || name === 'the chart with a webhook');

describe.each(certificates.map((from) => [from.replace('certificate', 'admission'), from] as const))(
  'the webhook of %s',
  (name, certificatesFrom) => {
    const manifests = manifestsOf(name);
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
      const { name: service, namespace, port = 443 } = webhook!.clientConfig.service;
      expect(only(manifests, 'Service')).toMatchObject({ metadata: { name: service, namespace }, spec: { ports: [{ port }] } });
      const issued = manifestsOf(certificatesFrom).filter(({ kind }) => kind === 'Certificate');
      const certificate = issued.find(({ spec }) => spec!.dnsNames !== undefined);
      expect(certificate!.spec!.dnsNames).toContain(`${service}.${namespace}.svc`);
      expect(configuration.metadata.annotations).toEqual({
        'cert-manager.io/inject-ca-from': `${namespace}/${certificate!.metadata.name}`,
      });
      expect(JSON.stringify(only(manifests, 'Deployment'))).toContain(`"secretName":"${certificate!.spec!.secretName}"`);
    });

    test('lets everyone ask for reviews, and for nothing else', () => {
      expect(only(manifests, 'Deployment').spec!.template!.spec.containers[0]!.args).toContain('--authorization=basic');
    });
  },
);

describe.runIf(hasHelm)('the chart', () => {
  test('passes its linter', () => {
    const { status, text } = runDeployTool('helm', ['lint', '--strict', chart]);
    expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('0 chart(s) failed') });
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(readFileSync(join(chart, 'Chart.yaml'), 'utf8')).toMatch(new RegExp(`^appVersion: ${version}$`, 'm'));
  });

  test.each([
    ['a value that it does not have', ['replica=3'], "additional properties 'replica' not allowed"],
    ['a value of another type', ['replicas=many'], 'got string, want integer'],
    ['root', ['runAsUser=0'], 'minimum: got 0, want 1'],
    ['a webhook without TLS', ['admission.enabled=true'], 'admission.enabled needs tls.enabled'],
    [
      'a webhook whose policies all may write',
      ['admission.enabled=true', 'tls.enabled=true'],
      'admission.enabled needs authorization: basic',
    ],
    [
      'a webhook without an authority',
      [...withAdmission, 'tls.certManager.enabled=false'],
      'needs tls.certManager.enabled or admission.caBundle',
    ],
  ])('refuses %s', (_title, values, message) => {
    const { status, errors } = render(values);
    expect(status).toBe(1);
    expect(errors).toContain(message);
  });

  test('rolls pods when the configuration changes, and not when policies do', () => {
    const annotations = (values: readonly string[]) =>
      only(manifestsIn(render(values).text), 'Deployment').spec!.template!.metadata.annotations;
    const policies = (text: string) => ['config.status.prometheus=true', `policies.p\\.rego=${text}`];
    expect(annotations(policies('package p'))).toEqual(annotations(policies('package q')));
    expect(annotations(['config.status.prometheus=true'])).not.toEqual(annotations(['config.status.prometheus=false']));
  });

  test('gives the Prometheus Operator the port of metrics', () => {
    const manifests = manifestsOf('the chart with all else');
    const monitor = only(manifests, 'ServiceMonitor').spec!;
    const services = manifests.filter(({ kind, metadata }) =>
      Object.entries(monitor.selector!.matchLabels!).every(([key, value]) => kind === 'Service' && metadata.labels?.[key] === value),
    );
    expect(services).toHaveLength(1);
    expect(services[0]!.spec!.ports).toEqual([{ name: monitor.endpoints![0]!.port, port: 8282, targetPort: 'diagnostics' }]);
  });

  test('takes the values and the commands of the page', () => {
    const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
    const [, values] = /^```yaml\n(.*?)^```/ms.exec(page)!;
    const folder = writeFiles(temporaryDirectory(), { 'values.yaml': values!, 'authz.rego': 'package authz\n' });
    const commands = [...page.matchAll(/^ {4}helm install (.*)$/gm)].map(([, args]) => args!);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const args = command.replace('docs/deploy/helm/writ', chart).replace(/values\.yaml$|(?<==)authz\.rego/, (name) => join(folder, name));
      const { status, text, errors } = runDeployTool('helm', ['template', ...args.replaceAll("'", '').split(' ')]);
      expect({ status, errors }).toEqual({ status: 0, errors: '' });
      const secret = only(manifestsIn(text), 'Secret').stringData!['config.yaml']!;
      expect(readConfig(parseConfig(secret, { POLICY_TOKEN: 'secret' })).warnings).toEqual([]);
    }
  });

  test('has a configuration without unknown keys, and policies that load', async () => {
    const manifests = manifestsOf('the chart with policies');
    expect(readConfig(parseConfig(only(manifests, 'Secret').stringData!['config.yaml']!, {})).warnings).toEqual([]);
    expect(only(manifests, 'ConfigMap').data).toEqual({ 'p.rego': 'package p' });
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

/** A request whose certificate is not looked at. */
function askOverTls(
  url: string,
  method: string,
  path: string,
  body?: string,
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, rejectUnauthorized: false, agent: false }, async (response) => {
      resolve({ status: response.statusCode, body: await json(response) });
    });
    asked.on('error', reject).end(body);
  });
}

const webhooks = ['admission.yaml', ...(hasHelm ? ['the chart with a webhook'] : [])];

test.each(webhooks)('%s serves reviews, with policies that change in the ConfigMap', { timeout: 60_000 }, async (name) => {
  const manifests = manifestsOf(name);
  const volume = new MountedVolume(admissionFiles);
  const certificate = (file: string) => readFileSync(join(root, 'fixtures/tls', file), 'utf8');
  const mounted: Readonly<Record<string, MountedVolume>> = {
    '/policies': volume,
    '/tls': new MountedVolume({ 'tls.crt': certificate('server.pem'), 'tls.key': certificate('server.key') }),
    '/etc/writ': new MountedVolume({ 'config.yaml': manifests.find(({ kind }) => kind === 'Secret')?.stringData?.['config.yaml'] ?? '' }),
  };
  const [container] = only(manifests, 'Deployment').spec!.template!.spec.containers;
  const port = await freePort();
  const here = (arg: string) =>
    arg
      .replace(/(?:^|(?<==))\/(?:policies|tls|etc\/writ)(?=\/|$)/, (path) => mounted[path]!.path)
      .replace('0.0.0.0:8282', `127.0.0.1:${port}`)
      .replace(/0\.0\.0\.0:\d+/, '127.0.0.1:0')
      .replace(/^--shutdown-wait-period=.*/, '--shutdown-wait-period=0');
  const server = await serverProcess(...container!.args.slice(2).map(here));
  for (const probe of [container!.startupProbe!, container!.readinessProbe!, container!.livenessProbe!])
    expect((await fetch(`http://127.0.0.1:${port}${probe.httpGet.path}`)).status).toBe(200);
  // The path as the API server asks for it.
  const allowed = async (image: string) => {
    const { status, body } = await askOverTls(server.url, 'POST', '/?timeout=5s', review(image));
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
  for (const [method, path, body] of others) expect((await askOverTls(server.url, method, path, body)).status).toBe(401);
});

test('the admission policies pass their tests', () => {
  const { status, stdout } = spawnSync(join(root, 'bin/writ'), ['test', admissionFolder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^PASS: \d{3}\/\d{3}$/m) });
});
