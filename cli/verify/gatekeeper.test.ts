import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';

const template = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata:
  name: lamplabels
spec:
  crd:
    spec:
      names: {kind: LampLabels}
      validation:
        openAPIV3Schema:
          type: object
          properties:
            labels: {type: array, items: {type: string}}
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package lamplabels

        import data.lib.texts

        violation[{"msg": msg, "details": {"missing": missing}}] {
          provided := {label | input.review.object.metadata.labels[label]}
          missing := {label | label := input.parameters.labels[_]} - provided
          count(missing) > 0
          msg := texts.joined(missing)
        }

        violation[{"msg": msg}] {
          c := input.review.object.spec.containers[_]
          c.privileged == true
          msg := sprintf("%v is privileged", [c.name])
        }

        violation[{"msg": msg}] {
          data.inventory.namespace[ns]["v1"]["Pod"][name].spec.host == input.review.object.spec.host
          name != input.review.object.metadata.name
          msg := sprintf("the host of %v/%v", [ns, name])
        }
      libs:
        - |
          package lib.texts

          joined(set) = text {
            text := sprintf("missing: %v", [concat(", ", set)])
          }
`;

const constraint = (more: string, parameters = '{labels: [owner]}') => `apiVersion: constraints.gatekeeper.sh/v1beta1
kind: LampLabels
metadata: {name: owners}
spec:
  ${more}
  parameters: ${parameters}
`;

const pod = (name: string, labels: string, spec: string, namespace = 'shop') => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: ${namespace}
  labels: ${labels}
spec: ${spec}
`;

async function verify(files: Record<string, string>, ...args: string[]) {
  return await withFiles({ 'p/template.yaml': template, 'p/constraint.yaml': constraint('match: {}'), ...files }, async (folder) => {
    const given = args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg));
    const { exit, stdout, stderr } = await runCommand('verify', '--gatekeeper', ...given);
    const plain = (text: string) => text.replaceAll(`${folder}/`, '').replace(/\d+\.\d{3}s/g, 'TIME');
    return { exit, stdout: plain(stdout), stderr: plain(stderr) };
  });
}

test('objects are checked, each violation at the line of the object and of the template', async () => {
  const containers = '\n  containers:\n    - name: a\n    - name: b\n      privileged: true';
  const pods = `${pod('x', '{owner: me}', containers)}---\n${pod('w', '{app: z}', '{}')}`;
  const { exit, stdout } = await verify({ 'a.yaml': pods }, '-p', '@p', '@a.yaml');
  expect(stdout).toBe(`a.yaml:11:7: failure: b is privileged
  11 |       privileged: true
  LampLabels/owners, p/template.yaml:30: c.privileged == true
  passes if input.review.object.spec.containers[1].privileged != true
a.yaml:18:3: failure: missing: owner
  18 |   labels: {app: z}
  LampLabels/owners, p/template.yaml:24: count(missing) > 0

2 tests, 0 passed, 0 warnings, 2 failures, 0 exceptions
`);
  expect(exit).toBe(1);
});

test('a folder of policies in Rego, which nobody named, is no folder of templates', async () => {
  await withFiles({ 'policy/a.rego': 'package main\n', 'all/t.yaml': template, 'all/c.yaml': constraint('match: {}') }, async (folder) => {
    const io = { env: { CONFTEST_POLICY: join(folder, 'policy') } };
    expect(await runWith(io, ['verify', '--gatekeeper', join(folder, 'all')])).toMatchObject({ exit: 0, stderr: '' });
    const named = await runWith({}, ['verify', '--gatekeeper', '-p', join(folder, 'policy'), join(folder, 'all')]);
    expect(named).toMatchObject({ exit: 1, stderr: 'Error: parse files: no files found\n' });
  });
});

test('violations are printed as gator test prints them', async () => {
  const pods = `${pod('x', '{app: "z"}', '{}')}---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n`;
  const { exit, stdout } = await verify({ 'a.yaml': pods }, '-p', '@p', '-o', 'gator', '@a.yaml');
  expect(stdout).toBe('v1/Pod shop/x: ["owners"] Message: "missing: owner"\napps/v1/Deployment d: ["owners"] Message: "missing: owner"\n');
  expect(exit).toBe(1);
});

test('the items of a list are objects, and see each other in the inventory', async () => {
  const item = (name: string) =>
    `  - apiVersion: v1\n    kind: Pod\n    metadata: {name: ${name}, namespace: shop, labels: {owner: a}}\n    spec:\n      host: h\n`;
  const list = `apiVersion: v1\nkind: List\nitems:\n${item('x')}${item('w')}`;
  const { stdout } = await verify({ 'a.yaml': list }, '-p', '@p', '-o', 'json', '@a.yaml');
  const [{ failures }] = JSON.parse(stdout) as [{ failures: { msg: string; loc: { line: number }; metadata: object }[] }];
  expect(failures.map(({ msg, loc, metadata }) => [msg, loc.line, metadata])).toEqual([
    ['the host of shop/w', 6, { object: 'Pod shop/x', query: 'LampLabels/owners' }],
    ['the host of shop/x', 11, { object: 'Pod shop/w', query: 'LampLabels/owners' }],
  ]);
});

test.each([
  ['another kind', 'match: {kinds: [{apiGroups: [""], kinds: [Service]}]}', 0],
  ['any kind of a group', 'match: {kinds: [{apiGroups: [""], kinds: ["*"]}]}', 1],
  ['another group', 'match: {kinds: [{apiGroups: [apps], kinds: ["*"]}]}', 0],
  ['the namespace', 'match: {namespaces: ["sh*"]}', 1],
  ['other namespaces', 'match: {namespaces: ["*-system", kube]}', 0],
  ['an excluded namespace', 'match: {excludedNamespaces: ["*op"]}', 0],
  ['objects of the cluster', 'match: {scope: Cluster}', 0],
  ['objects of namespaces', 'match: {scope: Namespaced}', 1],
  ['a label', 'match: {labelSelector: {matchLabels: {app: z}}}', 1],
  ['another label', 'match: {labelSelector: {matchLabels: {app: y}}}', 0],
  ['an expression', 'match: {labelSelector: {matchExpressions: [{key: app, operator: In, values: [y, z]}]}}', 1],
  ['the lack of a label', 'match: {labelSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}}', 0],
  ['a name', 'match: {name: "o*"}', 0],
  ['the labels of the namespace', 'match: {namespaceSelector: {matchLabels: {stage: prod}}}', 1],
  ['other labels of the namespace', 'match: {namespaceSelector: {matchLabels: {stage: test}}}', 0],
])('a constraint that matches %s: %j', async (_title, match, failures) => {
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {stage: prod, owner: a, app: z}}\n';
  const files = { 'p/constraint.yaml': constraint(match), 'p/namespace.yaml': namespace, 'a.yaml': pod('x', '{app: z}', '{}') };
  const { stdout, exit } = await verify(files, '-p', '@p', '@a.yaml');
  expect(stdout.match(/failure:/g)?.length ?? 0).toBe(failures);
  expect(exit).toBe(failures);
});

test.each(['warn', 'dryrun'])('violations of a constraint with the action %s are warnings', async (action) => {
  const files = { 'p/constraint.yaml': constraint(`enforcementAction: ${action}`), 'a.yaml': pod('x', '{}', '{}') };
  const { stdout, exit } = await verify(files, '-p', '@p', '@a.yaml');
  expect(stdout).toContain('a.yaml:6:3: warning: missing: owner');
  expect(exit).toBe(0);
});

test.each([
  ['deny at files', '{action: deny, enforcementPoints: [{name: gator.gatekeeper.sh}]}', 1],
  ['deny everywhere', '{action: deny, enforcementPoints: [{name: "*"}]}', 1],
  ['deny in the cluster', '{action: deny, enforcementPoints: [{name: validation.gatekeeper.sh}]}', 1],
  ['warn at files', '{action: warn, enforcementPoints: [{name: gator.gatekeeper.sh}]}', 0],
  [
    'warn at files, deny in the cluster',
    '{action: warn, enforcementPoints: [{name: gator.gatekeeper.sh}]}, {action: deny, enforcementPoints: [{name: vap.k8s.io}]}',
    0,
  ],
])('a constraint with scoped actions: %s', async (_title, actions, exit) => {
  const scoped = `enforcementAction: scoped, scopedEnforcementActions: [${actions}]`;
  const files = {
    'p/constraint.yaml': constraint('match: {}').replace('match: {}', scoped.replace(', scoped', '\n  scoped')),
    'a.yaml': pod('x', '{}', '{}'),
  };
  const { stdout, ...told } = await verify(files, '-p', '@p', '@a.yaml');
  expect(stdout).toContain(`a.yaml:6:3: ${exit === 1 ? 'failure' : 'warning'}: missing: owner`);
  expect(told.exit).toBe(exit);
});

test.each<readonly [string, Record<string, string>, string]>([
  [
    'parameters of another type',
    { 'p/constraint.yaml': constraint('match: {}', '{labels: [owner, 3]}') },
    'p/constraint.yaml:6:32: error: the parameters do not fit the template: labels.1: ',
  ],
  [
    'a constraint without a template',
    { 'p/constraint.yaml': constraint('match: {}').replace('LampLabels', 'Other') },
    'p/constraint.yaml:1:1: error: no template makes the kind Other',
  ],
  [
    'a policy that does not parse',
    { 'p/template.yaml': template.replace('count(missing) > 0', 'count(missing > 0') },
    'p/template.yaml:25: rego_parse_error: ',
  ],
  [
    'a policy that does not compile',
    { 'p/template.yaml': template.replace('- provided', '- nothing') },
    'p/template.yaml:23: rego_unsafe_var_error: var nothing is unsafe',
  ],
  [
    'a library of another package',
    { 'p/template.yaml': template.replace('package lib.texts', 'package texts') },
    'error: the package of a library begins with lib',
  ],
  [
    'a policy without violation',
    { 'p/template.yaml': template.replaceAll('violation[', 'deny[') },
    'error: the policy has no rule violation',
  ],
  [
    'a selector of a namespace that is not there',
    { 'p/constraint.yaml': constraint('match: {namespaceSelector: {matchLabels: {a: b}}}') },
    'p/constraint.yaml:5:3: error: namespaceSelector needs the Namespace shop',
  ],
])('%s is an error at its place', async (_title, files, message) => {
  const { stderr, exit } = await verify({ 'a.yaml': pod('x', '{}', '{}'), ...files }, '-p', '@p', '@a.yaml');
  expect(stderr).toContain(message);
  expect(exit).not.toBe(0);
});

test('a flag of rules does not go with constraints', async () => {
  const { stderr, exit } = await verify({}, '-p', '@p', '--combine', '@p');
  expect(stderr).toContain('--combine does not go with --gatekeeper');
  expect(exit).not.toBe(0);
});

const suite = (cases: string, more = '') => `apiVersion: test.gatekeeper.sh/v1alpha1
kind: Suite
tests:
  - name: labels
    template: p/template.yaml
    constraint: p/constraint.yaml${more}
    cases:
${cases}`;

const oneCase = (name: string, object: string, assertions: string) =>
  `      - name: ${name}\n        object: ${object}\n        inventory: [other.yaml]\n        assertions: ${assertions}\n`;

const objects = {
  'bad.yaml': pod('x', '{}', '{host: h}'),
  'good.yaml': pod('w', '{owner: a}', '{}'),
  'other.yaml': pod('z', '{}', '{host: h}'),
};

test('a suite passes where each case has the violations that it expects', async () => {
  const cases = [
    oneCase(
      'bad',
      'bad.yaml',
      '[{violations: 2}, {message: "missing: .*owner"}, {message: host, violations: 1}, {violations: no, message: privileged}]',
    ),
    oneCase('good', 'good.yaml', '[{violations: no}]'),
  ];
  const { stdout, exit } = await verify({ ...objects, 'suite.yaml': suite(cases.join('')) }, '--tests', '@suite.yaml');
  expect(stdout).toBe('ok\tsuite.yaml\tTIME\nPASS\n');
  expect(exit).toBe(0);
});

test('a case that fails names the assertion and the messages', async () => {
  const cases = oneCase('bad', 'bad.yaml', '\n          - violations: no\n') + oneCase('good', 'good.yaml', '[{violations: 3}]');
  const { stdout, exit } = await verify({ ...objects, 'd/x.txt': '', 'suite.yaml': suite(cases) }, '--tests', '@.');
  expect(stdout).toBe(`    --- FAIL: labels/bad	(TIME)
        suite.yaml:12:13: error: no violation expected: got 2 violations, of the messages ["missing: owner","the host of shop/z"]
          12 |           - violations: no
    --- FAIL: labels/good	(TIME)
        suite.yaml:17:22: error: 3 violations expected: got 0 violations, of the messages []
          17 |         assertions: [{violations: 3}]
--- FAIL: labels	(TIME)
FAIL	suite.yaml	TIME
FAIL
`);
  expect(exit).toBe(1);
});

test('a test of an invalid constraint expects an error', async () => {
  const files = { ...objects, 'p/constraint.yaml': constraint('match: {}', '{labels: 3}') };
  const passes = await verify({ ...files, 'suite.yaml': suite('', '\n    invalid: true') }, '--tests', '@suite.yaml');
  expect(passes.stdout).toBe('ok\tsuite.yaml\tTIME\nPASS\n');
  const fails = await verify({ ...objects, 'suite.yaml': suite('', '\n    invalid: true') }, '--tests', '@suite.yaml');
  expect(fails.stdout).toContain('the constraint fits its template, and should not');
});
