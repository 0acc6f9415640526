/**
 * `writ verify` as it is built: the processor time of a thousand manifests, and of a large plan of
 * Terraform in comparison with `JSON.parse` of it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const writ = fileURLToPath(new URL('../../bin/writ', import.meta.url));

const policy = `package main

deny contains c.name if {
	some c in input.spec.template.spec.containers
	not c.securityContext.runAsNonRoot
}

deny contains "few" if input.spec.replicas < 2

deny contains r.address if {
	some r in input.resource_changes
	"delete" in r.change.actions
}

deny contains r.address if {
	some r in input.resource_changes
	r.change.after.acl == "public-read"
}

warn contains "owner" if not input.metadata.labels.owner
`;

const runs = 5;

export function run(): void {
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-verify-'));
  try {
    mkdirSync(join(folder, 'm'));
    writeFileSync(join(folder, 'policy.rego'), policy);
    for (let i = 0; i < 1000; i++) writeFileSync(join(folder, 'm', `${i}.yaml`), manifest(i));
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan(45_000)));
    writeFileSync(
      join(folder, 'parse.mjs'),
      "import { readFileSync } from 'node:fs';\nJSON.parse(readFileSync(process.argv[2], 'utf8'));\n",
    );
    const checked = (path: string) => median(folder, writ, ['verify', '-p', 'policy.rego', path]);
    show('1,000 manifests', checked('m'));
    const parsed = median(folder, process.execPath, ['parse.mjs', 'plan.json']);
    show('JSON.parse of a plan of 63 MB', parsed);
    const plans = checked('plan.json');
    show('the plan', plans);
    console.log(`the plan takes ${(plans / parsed).toFixed(2)} times parsing it`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(title: string, seconds: number): void {
  console.log(`${title.padEnd(32)} ${seconds.toFixed(2)} s of processor time`);
}

/** The median of several processes, measured by the shell's `time`. */
function median(cwd: string, command: string, args: readonly string[]): number {
  const costs = Array.from({ length: runs }, () => {
    const script = `${quoted(command)} ${args.map(quoted).join(' ')} >/dev/null; cat /proc/$$/stat >&2`;
    const { stderr } = spawnSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
    const fields = stderr.slice(stderr.lastIndexOf(')') + 2).split(' ');
    // Times of the processes that have ended, in ticks of 10 ms.
    return (Number(fields[13]) + Number(fields[14])) / 100;
  }).sort((a, b) => a - b);
  return costs[runs >> 1]!;
}

function quoted(text: string): string {
  return `'${text}'`;
}

function manifest(i: number): string {
  const container = (name: string) => `        - name: ${name}
          image: nginx:1.${i}
          securityContext:
            runAsNonRoot: true
          resources:
            limits:
              cpu: 1
              memory: 1Gi
          ports:
            - containerPort: 80
`;
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web${i}
  labels:
    owner: x
spec:
  replicas: 3
  template:
    spec:
      containers:
${container('a')}${container('b')}`;
}

function plan(count: number): object {
  const rules = Array.from({ length: 6 }, (_, i) => ({
    id: `rule${i}`,
    prefix: `logs/${i}`,
    expiration: [{ days: 90, date: '' }],
    note: 'x'.repeat(80),
  }));
  const change = (i: number) => ({
    address: `aws_s3_bucket.b${i}`,
    type: 'aws_s3_bucket',
    mode: 'managed',
    provider_name: 'registry.terraform.io/hashicorp/aws',
    change: {
      actions: ['create'],
      before: null,
      after: { bucket: `b${i}`, acl: 'private', tags: { owner: 'x' }, lifecycle_rule: rules },
    },
  });
  return { format_version: '1.2', resource_changes: Array.from({ length: count }, (_, i) => change(i)) };
}
