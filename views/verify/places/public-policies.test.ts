// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of formats are written so
/**
 * Further policies of public kinds, as libraries for Kubernetes, Terraform, Docker and CI have
 * them. `«»` ends the line that a person would point at: counted by hand, once.
 */
import { test } from 'vitest';
import { expectMarkedLines, type MarkedRow } from '../../../test/conformance/verify/marked-places.js';

const rows: readonly MarkedRow[] = [
  [
    'host network, by a helper that unites kinds',
    'a.yaml',
    'kind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          hostNetwork: true«»\n          containers: []\n',
    'pod_spec := input.spec if input.kind == "Pod"\n\npod_spec := input.spec.jobTemplate.spec.template.spec if input.kind == "CronJob"\n\ndeny contains "host network" if pod_spec.hostNetwork',
  ],
  [
    'capabilities that are not dropped',
    'a.yaml',
    'kind: Pod\nspec:\n  containers:\n    - name: a\n      securityContext:\n        capabilities:\n          drop: [NET_RAW]«»\n',
    'deny contains c.name if {\n\tsome c in input.spec.containers\n\tnot "ALL" in c.securityContext.capabilities.drop\n}',
  ],
  [
    'an added capability',
    'a.yaml',
    'kind: Pod\nspec:\n  containers:\n    - name: a\n      securityContext:\n        capabilities:\n          add:\n            - CHOWN\n            - SYS_ADMIN«»\n',
    'allowed := {"CHOWN", "KILL"}\n\ndeny contains cap if {\n\tsome c in input.spec.containers\n\tsome cap in c.securityContext.capabilities.add\n\tnot cap in allowed\n}',
  ],
  [
    'a registry that is not allowed',
    'a.yaml',
    'kind: Pod\nspec:\n  initContainers:\n    - image: reg.example/a\n  containers:\n    - name: x\n      image: docker.io/b«»\n',
    'containers contains c if some c in input.spec.containers\n\ncontainers contains c if some c in input.spec.initContainers\n\ndeny contains c.image if {\n\tsome c in containers\n\tevery r in ["reg.example/", "own.example/"] {\n\t\tnot startswith(c.image, r)\n\t}\n}',
  ],
  [
    'a memory limit that is too high, through a conversion',
    'a.yaml',
    'kind: Pod\nspec:\n  containers:\n    - name: a\n      resources:\n        limits:\n          cpu: 1\n          memory: 8Gi«»\n',
    'deny contains sprintf("%s: %s", [c.name, c.resources.limits.memory]) if {\n\tsome c in input.spec.containers\n\tunits.parse_bytes(c.resources.limits.memory) > units.parse_bytes("2Gi")\n}',
  ],
  [
    'a role that may do everything',
    'a.yaml',
    'kind: ClusterRole\nmetadata: {name: x}\nrules:\n  - apiGroups: [""]\n    resources: [pods]\n    verbs: [get]\n  - apiGroups: ["*"]\n    resources: ["*"]\n    verbs:\n      - "*"«»\n',
    'deny contains "all verbs" if {\n\tinput.kind == "ClusterRole"\n\trule := input.rules[_]\n\trule.verbs[_] == "*"\n}',
  ],
  [
    'a service with a load balancer',
    'a.yaml',
    'kind: Service\nmetadata:\n  name: x\nspec:\n  type: LoadBalancer«»\n  ports: []\n',
    'deny contains msg if {\n\tinput.kind == "Service"\n\tinput.spec.type == "LoadBalancer"\n\tmsg := sprintf("%s is open", [input.metadata.name])\n}',
  ],
  [
    'an ingress without TLS for a host',
    'a.yaml',
    'kind: Ingress\nspec:\n  tls:\n    - hosts: [a.example]\n  rules:\n    - host: a.example\n    - host: b.example«»\n',
    'secured := {h | some t in input.spec.tls; some h in t.hosts}\n\ndeny contains r.host if {\n\tsome r in input.spec.rules\n\tnot r.host in secured\n}',
  ],
  [
    'labels that differ from the selector',
    'a.yaml',
    'kind: Deployment\nspec:\n  selector:\n    matchLabels:\n      app: a\n  template:\n    metadata:\n      labels:\n        app: b«»\n',
    'deny contains k if {\n\tsome k, v in input.spec.selector.matchLabels\n\tinput.spec.template.metadata.labels[k] != v\n}',
  ],
  [
    'a secret in a variable',
    'a.yaml',
    'kind: Pod\nspec:\n  containers:\n    - name: a\n      env:\n        - name: MODE\n          value: x\n        - name: DB_PASSWORD\n          value: hunter2«»\n',
    'deny contains e.name if {\n\tsome c in input.spec.containers\n\tsome e in c.env\n\tregex.match(`(?i)password|token`, e.name)\n\te.value != ""\n}',
  ],
  [
    'no probe',
    'a.yaml',
    'kind: Pod\nspec:\n  containers:\n    - name: a\n      livenessProbe: {}\n    - name: b«»\n      image: x\n',
    'probes := ["livenessProbe"]\n\ndeny contains sprintf("%s: %s", [c.name, p]) if {\n\tsome c in input.spec.containers\n\tsome p in probes\n\tnot c[p]\n}',
  ],
  [
    'an object with metadata as the member',
    'a.yaml',
    'kind: Pod\nspec:\n  hostPID: true«»\n  containers: []\n',
    'violation_pid contains {"msg": "pid", "severity": "high"} if input.spec.hostPID == true',
  ],
  [
    'a job that may run for ever, with object.get',
    'a.yaml',
    'on: push\njobs:\n  build:\n    timeout-minutes: 10\n  test:\n    timeout-minutes: 90«»\n',
    'deny contains name if {\n\tsome name, job in input.jobs\n\tobject.get(job, "timeout-minutes", 360) > 60\n}',
  ],
  [
    'a job without a limit of time, with object.get',
    'a.yaml',
    'on: push\njobs:\n  build:\n    timeout-minutes: 10\n  test:«»\n    runs-on: x\n',
    'deny contains name if {\n\tsome name, job in input.jobs\n\tobject.get(job, "timeout-minutes", 360) > 60\n}',
  ],
  [
    'a self-hosted runner',
    'a.yaml',
    'jobs:\n  a:\n    runs-on: ubuntu-latest\n  b:\n    runs-on: [self-hosted, linux]«»\n',
    'labels(job) := {job["runs-on"]} if is_string(job["runs-on"])\n\nlabels(job) := {l | some l in job["runs-on"]} if is_array(job["runs-on"])\n\ndeny contains name if {\n\tsome name, job in input.jobs\n\t"self-hosted" in labels(job)\n}',
  ],
  [
    'a compose service with the docker socket',
    'docker-compose.yml',
    'services:\n  web:\n    volumes:\n      - ./x:/x\n      - /var/run/docker.sock:/var/run/docker.sock«»\n',
    'deny contains name if {\n\tsome name, s in input.services\n\tsome v in s.volumes\n\tstartswith(v, "/var/run/docker.sock:")\n}',
  ],
  [
    'two services on one port',
    'docker-compose.yml',
    'services:\n  a:\n    ports: ["80:80"]«»\n  b:\n    ports: ["80:8080"]\n',
    'host_port(p) := split(p, ":")[0]\n\ndeny contains sprintf("%s and %s", [x, y]) if {\n\tsome x, s in input.services\n\tsome y, t in input.services\n\tx < y\n\thost_port(s.ports[_]) == host_port(t.ports[_])\n}',
  ],
  [
    'walk over all values',
    'a.yaml',
    'a:\n  b:\n    - c: 1\n    - c: http://x«»\n',
    'deny contains v if {\n\twalk(input, [path, v])\n\tis_string(v)\n\tstartswith(v, "http://")\n}',
  ],
  [
    'a deleted database in a plan',
    'plan.json',
    '{\n  "resource_changes": [\n    {"address": "a", "type": "db", "change": {"actions": ["create"]}},\n    {\n      "address": "b",\n      "type": "db",\n      "change": {\n        "actions": ["delete", "create"]«»\n      }\n    }\n  ]\n}\n',
    'changes_by_type[t] contains r if {\n\tsome r in input.resource_changes\n\tt := r.type\n}\n\ndeny contains r.address if {\n\tsome r in changes_by_type.db\n\tr.change.actions[_] == "delete"\n}',
  ],
  [
    'an open security group in a plan',
    'plan.json',
    '{"planned_values": {"root_module": {"resources": [\n  {"type": "sg", "name": "x", "values": {"ingress": [\n    {"from_port": 443, "cidr_blocks": ["10.0.0.0/8"]},\n    {"from_port": 22,\n     "cidr_blocks": ["10.0.0.0/8", "0.0.0.0/0"]}«»\n  ]}}\n]}}}\n',
    'resources contains r if some r in input.planned_values.root_module.resources\n\ndeny contains sprintf("%s:%d", [r.name, rule.from_port]) if {\n\tsome r in resources\n\tr.type == "sg"\n\tsome rule in r.values.ingress\n\t"0.0.0.0/0" in rule.cidr_blocks\n}',
  ],
  [
    'a missing tag, as a difference of sets',
    'plan.json',
    '{\n  "resource_changes": [\n    {\n      "address": "a",\n      "change": {\n        "after": {\n          "tags": {"owner": "x"}«»\n        }\n      }\n    }\n  ]\n}\n',
    'required := {"owner", "cost"}\n\ndeny contains msg if {\n\tsome r in input.resource_changes\n\tpresent := {k | some k, _ in r.change.after.tags}\n\tmissing := required - present\n\tcount(missing) > 0\n\tmsg := sprintf("%s lacks %v", [r.address, missing])\n}',
  ],
  [
    'too many changes, by a score',
    'plan.json',
    '{\n  "resource_changes": [«»\n    {"change": {"actions": ["delete"]}},\n    {"change": {"actions": ["delete"]}}\n  ]\n}\n',
    'deletes := count([r | some r in input.resource_changes; "delete" in r.change.actions])\n\ndeny contains "too many" if deletes > 1',
  ],
  [
    'a package from git',
    'package.json',
    '{\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "git+https://x.example/b"«»\n  }\n}\n',
    'deny contains name if {\n\tsome group in ["dependencies", "devDependencies"]\n\tsome name, version in input[group]\n\tstartswith(version, "git+")\n}',
  ],
  [
    'a bucket that is public, in HCL',
    'a.tf',
    'resource "aws_s3_bucket" "a" {\n  acl = "private"\n}\n\nresource "aws_s3_bucket" "b" {\n  bucket = "b"\n  acl    = "public-read"«»\n}\n',
    'deny contains name if {\n\tsome name, blocks in input.resource.aws_s3_bucket\n\tsome b in blocks\n\tb.acl in ["public-read", "public-read-write"]\n}',
  ],
  [
    'a variable without a type, in HCL',
    'a.tf',
    'variable "a" {\n  type = string\n}\n\nvariable "b" {«»\n  default = 1\n}\n',
    'deny contains name if {\n\tsome name, v in input.variable\n\tnot v[0].type\n}',
  ],
  [
    'an unpinned module, in HCL',
    'a.tf',
    'module "x" {\n  source = "git::https://e.example/x.git?ref=v1"\n}\nmodule "y" {\n  source = "git::https://e.example/y.git"«»\n}\n',
    'deny contains name if {\n\tsome name\n\tsource := input.module[name][_].source\n\tstartswith(source, "git::")\n\tnot contains(source, "?ref=")\n}',
  ],
  [
    'no encryption block, in HCL',
    'a.tf',
    'resource "disk" "a" {«»\n  size = 1\n}\n',
    'deny contains name if {\n\tsome name, d in input.resource.disk\n\tcount(object.get(d[0], "encryption", [])) == 0\n}',
  ],
  [
    'the root user at the end',
    'Dockerfile',
    'FROM a\nUSER app\nRUN x\nUSER root«»\n',
    'users := [c.Value[0] | some c in input; c.Cmd == "user"]\n\ndeny contains "root" if users[count(users) - 1] == "root"',
  ],
  [
    'an image without a tag',
    'Dockerfile',
    'FROM a:1 AS build\nRUN x\nFROM b«»\nCOPY --from=build /x /x\n',
    'deny contains v if {\n\tsome i\n\tinput[i].Cmd == "from"\n\tv := input[i].Value[0]\n\tnot contains(v, ":")\n}',
  ],
  [
    'apt-get without cleaning',
    'Dockerfile',
    'FROM a:1\nRUN echo x\nRUN apt-get update \\«»\n  && apt-get install -y x\n',
    'deny contains "apt" if {\n\tsome c in input\n\tc.Cmd == "run"\n\tcmd := concat(" ", c.Value)\n\tcontains(cmd, "apt-get install")\n\tnot contains(cmd, "rm -rf /var/lib/apt")\n}',
  ],
  [
    'a curl that is piped to a shell',
    'Dockerfile',
    'FROM a:1\nRUN make\nRUN curl https://x.example/i.sh | sh«»\n',
    'bad := `curl[^|]*\\|\\s*(ba)?sh`\n\ndeny contains c.Value[0] if {\n\tsome c in input\n\tc.Cmd == "run"\n\tregex.match(bad, c.Value[0])\n}',
  ],
  [
    'an exposed SSH port',
    'Dockerfile',
    'FROM a:1\nEXPOSE 80\nEXPOSE 443 22/tcp«»\n',
    'deny contains p if {\n\tsome c in input\n\tc.Cmd == "expose"\n\tsome p in c.Value\n\tto_number(split(p, "/")[0]) == 22\n}',
  ],
  [
    'an old edition',
    'Cargo.toml',
    '[package]\nname = "a"\nedition = "2015"«»\n\n[dependencies]\n',
    'deny contains "edition" if to_number(input.package.edition) < 2021',
  ],
  [
    'a dependency with a star',
    'Cargo.toml',
    '[dependencies]\na = "1"\nb = "*"«»\n\n[dependencies.c]\nversion = "*"«»\n',
    'version(d) := d if is_string(d)\n\nversion(d) := d.version if is_object(d)\n\ndeny contains name if {\n\tsome name, d in input.dependencies\n\tversion(d) == "*"\n}',
  ],
  [
    'a section with a weak cipher',
    'a.ini',
    '[tls]\nmin = 1.2\nciphers = AES256,RC4«»\n\n[log]\nlevel = info\n',
    'deny contains c if {\n\tsome c in split(input.tls.ciphers, ",")\n\tc in {"RC4", "DES"}\n}',
  ],
  [
    'a password in the environment',
    '.env',
    'HOST=x\nDB_PASSWORD=hunter2«»\nPORT=1\n',
    'deny contains k if {\n\tsome k, v in input\n\tendswith(k, "_PASSWORD")\n\tcount(v) > 0\n}',
  ],
  [
    'a server without TLS',
    'nginx.conf',
    'http {\n  server {\n    listen 443 ssl;\n  }\n  server {\n    listen 80;«»\n  }\n}\n',
    'servers contains s if {\n\tsome h in input.directives\n\th.name == "http"\n\tsome s in h.block.directives\n\ts.name == "server"\n}\n\ndeny contains d.parameters[0] if {\n\tsome s in servers\n\tsome d in s.block.directives\n\td.name == "listen"\n\tnot "ssl" in d.parameters\n}',
  ],
  [
    'an unwanted plugin',
    'pom.xml',
    '<project>\n  <dependencies>\n    <dependency><artifactId>a</artifactId></dependency>\n    <dependency>\n      <artifactId>log4j</artifactId>\n      <version>1.2</version>«»\n    </dependency>\n  </dependencies>\n</project>\n',
    'deny contains d.version if {\n\tsome d in input.project.dependencies.dependency\n\td.artifactId == "log4j"\n\tstartswith(d.version, "1.")\n}',
  ],
  [
    'a pool that is too large',
    'a.hocon',
    'db {\n  url = "x"\n  pool {\n    max = 500«»\n  }\n}\n',
    'deny contains "pool" if to_number(input.db.pool.max) > 100',
  ],
  [
    'logs that are not ignored',
    '.dockerignore',
    'node_modules\n!secrets.txt«»\n*.log\n',
    'deny contains l.Value if {\n\tsome l in input\n\tl.Kind == "NegatedPath"\n\tcontains(l.Value, "secret")\n}',
  ],
];

test.each(rows)(
  '%s: the line of %s that a person would point at',
  async (_title, file, text, policy) => await expectMarkedLines(file, text, policy),
);
