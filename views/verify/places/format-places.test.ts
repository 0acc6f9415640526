/** Failures over formats whose places come from readers of our own, each counted by hand once. */
import { test } from 'vitest';
import { expectMarkedLines, type MarkedRow } from '../../../test/conformance/verify/marked-places.js';

const secret = 'deny contains k if {\n\tsome k, v in input\n\tendswith(lower(k), "password")\n\tv != ""\n}';

const rows: readonly MarkedRow[] = [
  [
    'an image without a tag',
    'Dockerfile',
    '# base\nFROM node«»\nRUN echo a \\\n  && echo b\nUSER root\n',
    'deny contains i.Value[0] if {\n\tsome i in input\n\ti.Cmd == "from"\n\tnot contains(i.Value[0], ":")\n}',
  ],
  [
    'a user behind a command of several lines',
    'Dockerfile',
    'FROM node:1\nRUN echo a \\\n  && echo b\nUSER root«»\n',
    'deny contains "root" if {\n\tsome i in input\n\ti.Cmd == "user"\n\ti.Value[0] == "root"\n}',
  ],
  [
    'a range of addresses in a list of several lines',
    'main.tf',
    'resource "aws_security_group" "web" {\n  ingress {\n    cidr_blocks = [\n      "10.0.0.0/8",\n      "0.0.0.0/0",«»\n    ]\n  }\n}\n',
    'deny contains name if {\n\tsome name\n\trule := input.resource.aws_security_group[name][_].ingress[_]\n\t"0.0.0.0/0" in rule.cidr_blocks\n}',
  ],
  [
    'a key of a table',
    'Cargo.toml',
    '[package]\nname = "boat"\n\n[dependencies]\nserde = "1"\nrand = "*"«»\n',
    'deny contains d if input.dependencies[d] == "*"',
  ],
  ['a pair of INI', 'a.ini', '[server]\nport = 80\ndebug = true«»\n', 'deny contains "debug" if input.server.debug == true'],
  ['a variable', '.env', '# x\nNAME=a\nDB_PASSWORD=hunter2«»\n', secret],
  ['a property over two lines', 'a.properties', 'name=a\n\ndb.password = \\«»\n  hunter2\n', secret],
  [
    'a version of one of several elements',
    'pom.xml',
    '<p>\n  <d>\n    <n>a</n>\n    <v>1.0</v>\n  </d>\n  <d>\n    <n>b</n>\n    <v>2-SNAPSHOT</v>«»\n  </d>\n</p>\n',
    'deny contains d.n if {\n\tsome d in input.p.d\n\tendswith(d.v, "-SNAPSHOT")\n}',
  ],
  [
    'a directive that a walk finds',
    'nginx.conf',
    'http {\n  gzip on;\n  server {\n    listen 80;\n    server_tokens on;«»\n  }\n}\n',
    'deny contains "tokens" if {\n\twalk(input, [_, d])\n\td.name == "server_tokens"\n\td.parameters[0] == "on"\n}',
  ],
  ['a keyword of EDN', 'a.edn', '{:name "x"\n :url "http://a"«»}\n', 'deny contains "http" if startswith(input[":url"], "http:")'],
  [
    'a job without a time limit',
    'ci.yml',
    'jobs:\n  build:\n    timeout-minutes: 5\n  test:«»\n    runs-on: x\n',
    'deny contains id if {\n\tsome id, job in input.jobs\n\tnot job["timeout-minutes"]\n}',
  ],
  [
    'a container of two lists in one',
    'pod.yaml',
    'spec:\n  initContainers:\n    - name: init«»\n      image: busybox:1\n  containers:\n    - name: a\n      limits: {memory: 1Gi}\n',
    'deny contains c.name if {\n\tsome c in array.concat(input.spec.containers, object.get(input.spec, "initContainers", []))\n\tnot c.limits.memory\n}',
  ],
  [
    'a port that a comprehension collects',
    'pod.yaml',
    'spec:\n  containers:\n    - ports:\n        - containerPort: 8080\n        - containerPort: 80«»\n',
    'deny contains sprintf("%d", [p]) if {\n\tsome p in {q | q := input.spec.containers[_].ports[_].containerPort}\n\tp < 1024\n}',
  ],
  [
    'a licence in tags',
    'a.spdx',
    'SPDXVersion: SPDX-2.3\nPackageName: p\nSPDXID: SPDXRef-p\nPackageLicenseConcluded: MIT\nPackageName: q\nSPDXID: SPDXRef-q\nPackageLicenseConcluded: GPL-3.0«»\n',
    'deny contains p.name if {\n\tsome p in input.packages\n\tstartswith(p.licenseConcluded, "GPL")\n}',
  ],
  [
    'a component without a version',
    'a.cyclonedx',
    '<bom version="1">\n  <components>\n    <component><name>a</name><version>1</version></component>\n    <component>«»\n      <name>b</name>\n    </component>\n  </components>\n</bom>\n',
    'deny contains c.name if {\n\tsome c in input.components\n\tnot c.version\n}',
  ],
];

test.each(rows)(
  '%s: the line of %s that a person would point at',
  async (_title, file, text, policy) => await expectMarkedLines(file, text, policy),
);
