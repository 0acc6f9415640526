// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of formats are written so
/**
 * Policies of public kinds over files of many formats. `«»` ends the line that a person would point
 * at: counted by hand, once.
 */
import { expect, test } from 'vitest';
import { expectMarkedLines, type MarkedRow } from '../../../test/conformance/verify/marked-places.js';

const pods = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
`;

const yaml: readonly MarkedRow[] = [
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

const others: readonly MarkedRow[] = [
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

const more: readonly MarkedRow[] = [
  [
    'a base image of another registry, by a set difference',
    'Dockerfile',
    'FROM corp/a:1 AS build\nRUN x\nFROM evil/b:2«»\n',
    'allowed := {"corp"}\n\ndeny contains r if {\n\tsome c in input\n\tc.Cmd == "from"\n\tr := split(c.Value[0], "/")[0]\n\tnot r in allowed\n}',
  ],
  [
    'an instruction over several lines',
    'Dockerfile',
    'FROM a\nRUN apt-get update && \\\n  apt-get install curl«»\nUSER x\n'
      .replace('«»', '')
      .replace('RUN apt-get update', 'RUN apt-get update«»'),
    'deny contains "apt" if {\n\tsome c in input\n\tc.Cmd == "run"\n\tcontains(c.Value[0], "apt-get install")\n\tnot contains(c.Value[0], "-y")\n}',
  ],
  [
    'no user at all',
    'Dockerfile',
    'FROM a«»\nRUN x\n',
    'has_user if {\n\tsome c in input\n\tc.Cmd == "user"\n}\n\ndeny contains "user" if not has_user',
  ],
  [
    'a privileged service of a composition',
    'compose.yaml',
    'services:\n  web:\n    image: a\n  db:\n    image: b\n    privileged: true«»\n',
    'deny contains name if {\n\tsome name, s in input.services\n\ts.privileged\n}',
  ],
  [
    'a port that is published to all, by a prefix of a text',
    'compose.yaml',
    'services:\n  web:\n    ports:\n      - "127.0.0.1:80:80"\n      - "0.0.0.0:22:22"«»\n',
    'deny contains p if {\n\tp := input.services[_].ports[_]\n\tstartswith(p, "0.0.0.0")\n}',
  ],
  [
    'a service without a limit of memory, in an object comprehension',
    'compose.yaml',
    'services:\n  a:\n    mem_limit: 1g\n  b:«»\n    image: x\n',
    'limits := {name: s | some name, s in input.services}\n\ndeny contains name if {\n\tsome name, s in limits\n\tnot s.mem_limit\n}',
  ],
  [
    'a job without a limit of time',
    'w.yaml',
    'jobs:\n  a:\n    timeout-minutes: 5\n  b:«»\n    runs-on: x\n',
    'deny contains name if {\n\tsome name, job in input.jobs\n\tnot job["timeout-minutes"]\n}',
  ],
  [
    'a script with text of an event',
    'w.yaml',
    'jobs:\n  a:\n    steps:\n      - run: echo 1\n      - run: echo ${{ github.event.issue.title }}«»\n',
    'deny contains "text" if {\n\tsome step in input.jobs[_].steps\n\tregex.match(`\\$\\{\\{\\s*github\\.event`, step.run)\n}',
  ],
  [
    'a trigger of forks, a key that YAML reads as a truth',
    'w.yaml',
    'name: x\non:\n  pull_request_target:«»\n    types: [opened]\njobs: {}\n',
    'deny contains "fork" if {\n\tsome on in ["on", "true"]\n\tsome event, _ in input[on]\n\tevent == "pull_request_target"\n}',
  ],
  [
    'a module without a version',
    'a.tf',
    'module "a" {\n  source  = "x/y"\n  version = "1"\n}\n\nmodule "b" {«»\n  source = "x/z"\n}\n',
    'deny contains name if {\n\tsome name, ms in input.module\n\tsome m in ms\n\tnot m.version\n}',
  ],
  [
    'a source with a branch',
    'a.tf',
    'module "a" {\n  source = "git::https://x/y.git?ref=main"«»\n}\n',
    'deny contains name if {\n\tsome name\n\tsource := input.module[name][_].source\n\tendswith(source, "ref=main")\n}',
  ],
  [
    'tags that lack a key, by a set difference',
    'a.tf',
    'resource "vm" "a" {\n  size = 1\n  tags = {«»\n    team = "x"\n  }\n}\n',
    'deny contains name if {\n\tsome name, rs in input.resource.vm\n\tmissing := {"owner"} - {k | some k, _ in rs[0].tags}\n\tcount(missing) > 0\n}',
  ],
  [
    'a pod of a list',
    'pods.json',
    '{"kind": "List", "items": [\n {"metadata": {"name": "a", "labels": {"owner": "x"}}},\n {"metadata": {"name": "b",\n   "labels": {}«»}}\n]}',
    'deny contains p.metadata.name if {\n\tsome p in input.items\n\tnot p.metadata.labels.owner\n}',
  ],
  [
    'a volume of the host, with every',
    'a.yaml',
    'spec:\n  volumes:«»\n    - emptyDir: {}\n    - hostPath: {path: /}\n',
    'deny contains "host" if {\n\tnot no_host\n}\n\nno_host if {\n\tevery v in input.spec.volumes { not v.hostPath }\n}',
  ],
  [
    'a resource that a plan makes public, by walk',
    'plan.json',
    '{"planned_values": {"root_module": {"resources": [\n {"type": "bucket", "values": {"acl": "private"}}\n], "child_modules": [{"resources": [\n {"type": "bucket", "values":\n {"acl": "public-read"«»}}\n]}]}}}',
    'deny contains "public" if {\n\twalk(input.planned_values, [_, r])\n\tr.type == "bucket"\n\tr.values.acl == "public-read"\n}',
  ],
  [
    'a component without a licence',
    'bom.json',
    '{"components": [\n {"name": "a", "licenses": [{"license": {"id": "MIT"}}]},\n {"name": "b"}«»\n]}',
    'deny contains c.name if {\n\tsome c in input.components\n\tnot c.licenses\n}',
  ],
  [
    'a licence that is not allowed',
    'bom.json',
    '{"components": [\n {"name": "a", "licenses": [{"license":\n  {"id": "GPL-3.0"}«»}]}\n]}',
    'allowed := {"MIT", "Apache-2.0"}\n\ndeny contains c.name if {\n\tsome c in input.components\n\tsome l in c.licenses\n\tnot allowed[l.license.id]\n}',
  ],
  [
    'a weak protocol',
    'nginx.conf',
    'http {\n  ssl_protocols TLSv1.2;\n  server {\n    ssl_protocols TLSv1 TLSv1.2;«»\n  }\n}\n',
    'deny contains "tls" if {\n\twalk(input, [_, d])\n\td.name == "ssl_protocols"\n\t"TLSv1" in d.parameters\n}',
  ],
  [
    'a location that lists files',
    'nginx.conf',
    'http {\n  server {\n    location / {\n      autoindex on;«»\n    }\n  }\n}\n',
    'deny contains "list" if {\n\tsome http in input.directives\n\tsome server in http.block.directives\n\tsome location in server.block.directives\n\tsome d in location.block.directives\n\td.name == "autoindex"\n\td.parameters == ["on"]\n}',
  ],
  [
    'a secret with a default',
    'a.ini',
    '[db]\nuser = a\npassword = changeme«»\n',
    'deny contains k if {\n\tsome k, v in input.db\n\tv in {"changeme", "secret"}\n}',
  ],
  ['a section that is not there', 'a.ini', '[web]«»\nport = 80\n', 'deny contains "tls" if not input.tls'],
  ['a limit below another', 'a.ini', '[pool]\nmax = 1«»\nmin = 5\n', 'deny contains "pool" if input.pool.max < input.pool.min'],
  [
    'a URL without TLS',
    'a.properties',
    'a.url = https://x\n# note\nb.url = http://y«»\n',
    'deny contains k if {\n\tsome k, v in input\n\tstartswith(v, "http://")\n}',
  ],
  ['a missing property', 'a.properties', 'a = 1«»\nb = 2\n', 'deny contains "c" if not input["c.d"]'],
  ['a debugging variable', '.env', 'A=1\nDEBUG=true«»\n', 'deny contains "debug" if lower(input.DEBUG) == "true"'],
  [
    'a plain name in a variable',
    '.env',
    '# x\nDB_URL=postgres://a:b@c«»\nB=1\n',
    'deny contains k if {\n\tsome k, v in input\n\tregex.match(`://[^:]+:[^@]+@`, v)\n}',
  ],
  [
    'a plugin without a version',
    'pom.xml',
    '<project>\n  <build>\n    <plugins>\n      <plugin>\n        <artifactId>a</artifactId>\n        <version>1</version>\n      </plugin>\n      <plugin>«»\n        <artifactId>b</artifactId>\n      </plugin>\n    </plugins>\n  </build>\n</project>',
    'deny contains p.artifactId if {\n\tsome p in input.project.build.plugins.plugin\n\tnot p.version\n}',
  ],
  [
    'a dependency in a table of its own',
    'Cargo.toml',
    '[package]\nname = "a"\n\n[dependencies.b]\nversion = "*"«»\n',
    'deny contains k if {\n\tsome k, d in input.dependencies\n\td.version == "*"\n}',
  ],
  [
    'a script in an array',
    'a.toml',
    'steps = [\n  "make",\n  "curl x | sh",«»\n]\n',
    'deny contains s if {\n\tsome s in input.steps\n\tcontains(s, "| sh")\n}',
  ],
  [
    'a server of an upstream, before another directive',
    'nginx.conf',
    'upstream u {\n  server a down;«»\n  keepalive 8;\n}\n',
    'deny contains "down" if {\n\tsome u in input.directives\n\tsome d in u.block.directives\n\t"down" in d.parameters\n}',
  ],
  [
    'a value that a later merge has',
    'a.yaml',
    'base: &b\n  debug: true«»\nweb:\n  debug: false\n  <<: *b\n',
    'deny contains "debug" if input.web.debug',
  ],
  [
    'a value that a merged map has',
    'a.yaml',
    'x: &x {port: 80}«»\nweb:\n  name: w\n  <<: *x\n',
    'deny contains "port" if input.web.port == 80',
  ],
  [
    'a document behind a directive',
    'a.yaml',
    '%YAML 1.1\n---\nkind: Pod\nhostNetwork: true«»\n',
    'deny contains "host" if input.hostNetwork',
  ],
  ['a key that is a dash', 'a.ini', '[s]\n- = a\n- = b«»\n', 'deny contains v if {\n\tsome v in input.s\n\tv == "b"\n}'],
  [
    'a variable over several lines',
    '.env',
    'A=1\nKEY="-----BEGIN«»\nx\n-----END"\n',
    'deny contains k if {\n\tsome k, v in input\n\tstartswith(v, "-----BEGIN")\n}',
  ],
  ['a reference that stays', 'a.properties', 'a = 1\nb = ${a}«»\n', 'deny contains k if {\n\tsome k, v in input\n\tcontains(v, "${")\n}'],
  [
    'a rule of a security group in a nested block',
    'main.tf',
    'resource "sg" "a" {\n  ingress {\n    cidr = ["10.0.0.0/8"]\n  }\n  ingress {\n    cidr = ["0.0.0.0/0"]«»\n  }\n}\n',
    'deny contains n if {\n\tsome n, rs in input.resource.sg\n\tsome r in rs\n\tsome i in r.ingress\n\t"0.0.0.0/0" in i.cidr\n}',
  ],
  [
    'a step of a workflow without a pinned action',
    'ci.yaml',
    'jobs:\n  a:\n    steps:\n      - uses: x@0123456789012345678901234567890123456789\n      - uses: y@v1«»\n',
    'deny contains s.uses if {\n\tsome j in input.jobs\n\tsome s in j.steps\n\tnot regex.match("@[0-9a-f]{40}$", s.uses)\n}',
  ],
  [
    'a user of the last stage',
    'Dockerfile',
    'FROM a AS b\nUSER x\nFROM c\nUSER root«»\n',
    'deny contains "root" if {\n\tsome c in input\n\tc.Cmd == "user"\n\tc.Value[0] == "root"\n}',
  ],
];

test.each([...yaml, ...others, ...more])(
  '%s: the line of %s that a person would point at',
  async (_title, file, text, policy) => await expectMarkedLines(file, text, policy),
);

test('there are at least forty policies', () => {
  expect(yaml.length + others.length).toBeGreaterThanOrEqual(40);
});
