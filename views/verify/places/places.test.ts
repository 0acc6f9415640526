// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of formats are written so
/**
 * Policies of public kinds over files of many formats. `«»` ends the line that a person would point
 * at: counted by hand, once.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

type Row = readonly [title: string, file: string, text: string, policy: string];

const pods = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
`;

const yaml: readonly Row[] = [
  [
    'a container that may run as root',
    'a.yaml',
    `${pods}      containers:\n        - name: a\n          securityContext: {runAsNonRoot: true}\n        - name: b\n          securityContext: {privileged: false}«»\n`,
    'deny contains c.name if {\n\tsome c in input.spec.template.spec.containers\n\tnot c.securityContext.runAsNonRoot\n}',
  ],
  [
    'a privileged container, by a helper set',
    'a.yaml',
    `${pods}      containers:\n        - name: a\n          securityContext:\n            privileged: true«»\n`,
    'containers contains c if some c in input.spec.template.spec.containers\n\ndeny contains c.name if {\n\tsome c in containers\n\tc.securityContext.privileged\n}',
  ],
  [
    'too few replicas, after a kind',
    'a.yaml',
    pods.replace('replicas: 1', 'replicas: 1«»'),
    'deny contains "few" if {\n\tinput.kind == "Deployment"\n\tinput.spec.replicas < 2\n}',
  ],
  [
    'too few replicas, before a kind',
    'a.yaml',
    pods.replace('replicas: 1', 'replicas: 1«»'),
    'deny contains "few" if {\n\tinput.spec.replicas < 2\n\tinput.kind == "Deployment"\n}',
  ],
  [
    'an image by its tag, through a comprehension',
    'a.yaml',
    `${pods}      containers:\n        - image: a:1\n        - image: b:latest«»\n`,
    'images := [c.image | some c in input.spec.template.spec.containers]\n\ndeny contains i if {\n\tsome i in images\n\tendswith(i, ":latest")\n}',
  ],
  [
    'no limit of memory, by a function',
    'a.yaml',
    `${pods}      containers:\n        - name: a\n          resources:\n            limits:«»\n              cpu: 1\n`,
    'limited(c) if {\n\tc.resources.limits.cpu\n\tc.resources.limits.memory\n}\n\ndeny contains c.name if {\n\tsome c in input.spec.template.spec.containers\n\tnot limited(c)\n}',
  ],
  [
    'no label of an owner',
    'a.yaml',
    'kind: Pod\nmetadata:\n  labels:«»\n    app: x\n',
    'deny contains "owner" if not input.metadata.labels.owner',
  ],
  [
    'a host path, by two names',
    'a.yaml',
    'spec:\n  volumes:\n    - name: a\n      emptyDir: {}\n    - name: b\n      hostPath:\n        path: /etc«»\n',
    'deny contains v.name if {\n\tsome v in input.spec.volumes\n\tstartswith(v.hostPath.path, "/etc")\n}',
  ],
  [
    'a port of a service, with its index',
    'a.yaml',
    'spec:\n  ports:\n    - port: 80\n    - port: 22«»\n',
    'deny contains sprintf("%d", [i]) if input.spec.ports[i].port == 22',
  ],
  [
    'a list of capabilities',
    'a.yaml',
    'securityContext:\n  capabilities:\n    add:\n      - NET\n      - SYS_ADMIN«»\n',
    'bad := {"SYS_ADMIN"}\n\ndeny contains c if {\n\tsome c in input.securityContext.capabilities.add\n\tc in bad\n}',
  ],
  ['a second document', 'a.yaml', 'kind: A\nname: x\n---\nkind: B«»\n', 'deny contains "name" if not input.name'],
  [
    'a step of a workflow without a pinned action',
    '.github.yaml',
    'jobs:\n  a:\n    steps:\n      - uses: x/y@v1«»\n      - run: z\n',
    'deny contains s.uses if {\n\tsome j in input.jobs\n\tsome s in j.steps\n\tnot regex.match(`@[0-9a-f]{40}$`, s.uses)\n}',
  ],
  [
    'permissions of a workflow',
    'w.yaml',
    'name: w\npermissions: write-all«»\njobs: {}\n',
    'deny contains "p" if input.permissions == "write-all"',
  ],
  [
    'several rules of one set: each its own place',
    'a.yaml',
    'a: 1\nb: 2«»\n',
    'deny contains "a" if input.a == 2\n\ndeny contains "b" if input.b == 2',
  ],
];

const others: readonly Row[] = [
  [
    'a public bucket',
    'a.json',
    '{\n  "buckets": [\n    {"name": "a", "acl": "private"},\n    {"name": "b",\n     "acl": "public-read"«»}\n  ]\n}',
    'deny contains b.name if {\n\tsome b in input.buckets\n\tb.acl == "public-read"\n}',
  ],
  [
    'a planned change',
    'plan.json',
    '{"resource_changes": [\n {"address": "a", "change": {"actions": ["create"]}},\n {"address": "b", "change": {"actions":\n  ["delete"]«»}}\n]}',
    'deny contains r.address if {\n\tsome r in input.resource_changes\n\t"delete" in r.change.actions\n}',
  ],
  ['a missing licence', 'package.json', '{«»\n  "name": "a",\n  "version": "1"\n}', 'deny contains "licence" if not input.license'],
  [
    'a script by its name',
    'package.json',
    '{\n  "scripts": {\n    "test": "x",\n    "postinstall": "curl x"«»\n  }\n}',
    'deny contains k if {\n\tsome k, v in input.scripts\n\tcontains(v, "curl")\n}',
  ],
  ['too many members', 'a.json', '{\n  "owners": ["a", "b", "c"]«»\n}', 'deny contains "many" if count(input.owners) > 2'],
  [
    'a pattern of an object',
    'a.json',
    '{"rules": [\n {"port": 22, "from": "10.0.0.0/8"},\n {"port": 22, "from": "0.0.0.0/0"}«»\n]}',
    'open(r) if {\n\tr.port == 22\n\tr.from == "0.0.0.0/0"\n}\n\ndeny contains sprintf("%d", [i]) if {\n\tsome i, r in input.rules\n\topen(r)\n}',
  ],
  [
    'an edition',
    'Cargo.toml',
    '[package]\nname = "a"\nedition = "2015"«»\n',
    'deny contains "edition" if to_number(input.package.edition) < 2018',
  ],
  [
    'a dependency by a path',
    'Cargo.toml',
    '[dependencies]\na = "1"\nb = { git = "https://x" }«»\n',
    'deny contains k if {\n\tsome k, d in input.dependencies\n\td.git\n}',
  ],
  [
    'a member of an array of tables',
    'a.toml',
    '[[server]]\ntls = true\n[[server]]\ntls = false«»\n',
    'deny contains sprintf("%d", [i]) if {\n\tsome i, s in input.server\n\ts.tls == false\n}',
  ],
  ['no timeout', 'a.toml', '[http]«»\nport = 1\n', 'deny contains "t" if not input.http.timeout'],
  ['debugging is on', 'a.ini', '[app]\nname = x\ndebug = true«»\n', 'deny contains "debug" if input.app.debug'],
  [
    'a weak cipher in any section',
    'a.ini',
    '[a]\ncipher = aes\n[b]\ncipher = rc4«»\n',
    'deny contains s if {\n\tsome s, v in input\n\tv.cipher == "rc4"\n}',
  ],
  ['a port below 1024', 'a.ini', '[web]\nport = 80«»\n', 'limits := {"low": 1024}\n\ndeny contains "port" if input.web.port < limits.low'],
  [
    'the newest image',
    'Dockerfile',
    'FROM alpine:3\nRUN x\nFROM nginx:latest«»\n',
    'deny contains c.Value[0] if {\n\tsome c in input\n\tc.Cmd == "from"\n\tendswith(c.Value[0], ":latest")\n}',
  ],
  [
    'sudo in a command',
    'Dockerfile',
    'FROM a\nRUN y\nRUN sudo x«»\n',
    'deny contains "sudo" if {\n\tsome i\n\tinput[i].Cmd == "run"\n\tcontains(concat(" ", input[i].Value), "sudo")\n}',
  ],
  [
    'the user root',
    'Dockerfile',
    'FROM a\nUSER root«»\nCMD x\n',
    'users := [c.Value[0] | some c in input; c.Cmd == "user"]\n\ndeny contains "root" if {\n\tsome u in users\n\tu == "root"\n}',
  ],
  ['ADD where COPY would do', 'Dockerfile', 'FROM a\nADD x /x«»\n', 'deny contains "add" if {\n\tsome c in input\n\tc.Cmd == "add"\n}'],
  [
    'a bucket without encryption',
    'a.tf',
    'resource "bucket" "a" {\n  encrypted = true\n}\nresource "bucket" "b" {«»\n  name = "b"\n}\n',
    'deny contains name if {\n\tsome name, bs in input.resource.bucket\n\tsome b in bs\n\tnot b.encrypted\n}',
  ],
  [
    'an open rule of a group',
    'a.tf',
    'resource "group" "g" {\n  ingress {\n    port = 22\n    cidr = ["0.0.0.0/0"]«»\n  }\n}\n',
    'deny contains name if {\n\tsome name, gs in input.resource.group\n\tsome i in gs[0].ingress\n\ti.cidr[_] == "0.0.0.0/0"\n}',
  ],
  [
    'a provider without a version',
    'a.tf',
    'terraform {\n  required_providers {\n    a = { source = "x/a" }«»\n  }\n}\n',
    'deny contains k if {\n\tsome k, p in input.terraform[0].required_providers[0]\n\tnot p.version\n}',
  ],
  [
    'a variable without a description',
    'a.tf',
    'variable "a" {\n  description = "x"\n}\nvariable "b" {}«»\n',
    'deny contains k if {\n\tsome k, v in input.variable\n\tnot v[0].description\n}',
  ],
  [
    'an attribute',
    'a.xml',
    '<web>\n  <server name="a" tls="true"/>\n  <server name="b"\n    tls="false"/>«»\n</web>',
    'deny contains s["-name"] if {\n\tsome s in input.web.server\n\ts["-tls"] == "false"\n}',
  ],
  [
    'a version of a dependency',
    'pom.xml',
    '<project>\n  <dependencies>\n    <dependency>\n      <artifactId>a</artifactId>\n      <version>1-SNAPSHOT</version>«»\n    </dependency>\n  </dependencies>\n</project>',
    'deny contains d.artifactId if {\n\td := input.project.dependencies.dependency\n\tendswith(d.version, "-SNAPSHOT")\n}',
  ],
  [
    'a password',
    'a.properties',
    'user = x\ndb.password = secret«»\n',
    'deny contains k if {\n\tsome k, v in input\n\tendswith(k, "password")\n\tnot startswith(v, "${")\n}',
  ],
  [
    'a secret of the environment',
    '.env',
    'A=1\nTOKEN=abc«»\n',
    'deny contains k if {\n\tsome k, v in input\n\tregex.match("TOKEN|SECRET", k)\n\tv != ""\n}',
  ],
  [
    'a server without TLS',
    'nginx.conf',
    'http {\n  server {\n    listen 80;«»\n  }\n}\n',
    'directives contains d if {\n\twalk(input, [_, d])\n\td.name == "listen"\n}\n\ndeny contains "tls" if {\n\tsome d in directives\n\tnot "ssl" in d.parameters\n}',
  ],
  [
    'a version that nginx tells',
    'nginx.conf',
    'http {\n  server_tokens on;«»\n}\n',
    'deny contains "tokens" if {\n\tsome d in input.directives[0].block.directives\n\td.name == "server_tokens"\n\td.parameters[0] == "on"\n}',
  ],
];

const mark = '«»';

async function linesOf(file: string, marked: string, policy: string): Promise<readonly (number | undefined)[]> {
  const text = marked.replace(mark, '');
  return await withFiles({ 'policy/a.rego': `package main\n\n${policy}\n`, [`files/${file}`]: text }, async (folder) => {
    const { stdout, stderr } = await runCommand('verify', '-o', 'json', '-p', join(folder, 'policy'), join(folder, 'files', file));
    expect(stderr).toBe('');
    const [check] = JSON.parse(stdout) as { failures?: { loc?: { line: number } }[] }[];
    return (check?.failures ?? []).map(({ loc }) => loc?.line);
  });
}

test.each([...yaml, ...others])('%s: the line of %s that a person would point at', async (_title, file, text, policy) => {
  const wanted = text.slice(0, text.indexOf(mark)).split('\n').length;
  expect(await linesOf(file, text, policy)).toEqual([wanted]);
});

test('there are at least forty policies', () => {
  expect(yaml.length + others.length).toBeGreaterThanOrEqual(40);
});
