/**
 * Writes a policy repository of any size, with its own tests, in either language version:
 * libraries, policies over them, exceptions in data, and tests that replace the input, documents
 * and functions by `with`. The same options give the same text.
 *
 *   tsx bench/policy-repository.ts DIR [LINES] [v0|v1]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface RepositoryOptions {
  /** The minimum number of lines, policies and tests together. */
  readonly lines: number;
  readonly version: 'v0' | 'v1';
}

/** Texts by path. Every test in the repository passes. */
export function policyRepository({ lines, version }: RepositoryOptions): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    ['lib/kubernetes.rego', library()],
    ['lib/kubernetes_test.rego', libraryTests()],
    [
      'data.json',
      JSON.stringify({ exceptions: { images: ['registry.local/trusted'] }, limits: { memory: 512, replicas: 5 } }),
    ],
  ]);
  let count = 0;
  for (let i = 0; count < lines; i++) {
    const name = `c${String(i).padStart(4, '0')}`;
    const policy = constraint(name, i);
    const tests = constraintTests(name, i);
    files.set(`constraints/${name}/${name}.rego`, policy);
    files.set(`constraints/${name}/${name}_test.rego`, tests);
    count += policy.split('\n').length + tests.split('\n').length;
  }
  if (version === 'v1') return files;
  return new Map([...files].map(([path, text]) => [path, path.endsWith('.rego') ? toVersionZero(text) : text]));
}

/** Converts a text to version 0: the rules above are written so that only these words differ. */
function toVersionZero(text: string): string {
  return text
    .replace(/^(.*?) contains (\S+) if \{$/gm, '$1[$2] {')
    .replace(/ if \{$/gm, ' {')
    .replace(/^package .*$/m, '$&\n\nimport future.keywords.in\nimport future.keywords.every');
}

function library(): string {
  return `package lib.kubernetes

default is_admission := false

is_admission if {
	input.review.kind
}

object := input.review.object if {
	is_admission
}

object := input if {
	not is_admission
}

containers contains container if {
	some container in object.spec.containers
}

containers contains container if {
	some container in object.spec.template.spec.containers
}

images contains image if {
	some container in containers
	image := container.image
}

split_image(image) := [name, tag] if {
	parts := split(image, ":")
	count(parts) == 2
	name := parts[0]
	tag := parts[1]
}

split_image(image) := [image, "latest"] if {
	not contains(image, ":")
}

memory(container) := number if {
	endswith(container.resources.limits.memory, "Mi")
	number := to_number(trim_suffix(container.resources.limits.memory, "Mi"))
}

memory(container) := 0 if {
	not container.resources.limits.memory
}

labelled(key) if {
	object.metadata.labels[key]
}
`;
}

function libraryTests(): string {
  return `package lib.kubernetes_test

import data.lib.kubernetes

test_containers_of_pod if {
	count(kubernetes.containers) == 2 with input as {"spec": {"containers": [{"image": "a"}, {"image": "b"}]}}
}

test_containers_of_deployment if {
	count(kubernetes.containers) == 1 with input as {"spec": {"template": {"spec": {"containers": [{"image": "a"}]}}}}
}

test_split_tagged if {
	kubernetes.split_image("nginx:1.2") == ["nginx", "1.2"]
}

test_split_plain if {
	kubernetes.split_image("nginx") == ["nginx", "latest"]
}
`;
}

function constraint(name: string, i: number): string {
  return `package constraints.${name}

import data.lib.kubernetes

# Images of team ${i} come from its own registry, have a tag, and stay within their limits.
registry := "registry-${i}.local"

violation contains msg if {
	some image in kubernetes.images
	not startswith(image, registry)
	not exempt(image)
	msg := sprintf("image %v is not from %v", [image, registry])
}

violation contains msg if {
	some image in kubernetes.images
	[_, tag] := kubernetes.split_image(image)
	tag == "latest"
	msg := sprintf("image %v has no tag", [image])
}

violation contains msg if {
	some container in kubernetes.containers
	kubernetes.memory(container) > limit
	msg := sprintf("container %v takes more than %v", [container.name, limit])
}

violation contains msg if {
	some key in ["app", "team-${i % 7}"]
	not kubernetes.labelled(key)
	msg := sprintf("label %v is missing", [key])
}

exempt(image) if {
	some prefix in data.exceptions.images
	startswith(image, prefix)
}

limit := data.limits.memory * 2 if {
	input.metadata.namespace == "large-${i % 5}"
}

limit := data.limits.memory if {
	not input.metadata.namespace == "large-${i % 5}"
}

level := "critical" if {
	count(violation) > 2
} else := "warning" if {
	count(violation) > 0
} else := "none"

allow if {
	count(violation) == 0
	every container in kubernetes.containers {
		container.name != ""
	}
}

summary := {"constraint": "${name}", "violations": sort([v | some v in violation]), "level": level}
`;
}

function constraintTests(name: string, i: number): string {
  const good = `{"metadata": {"labels": {"app": "a", "team-${i % 7}": "t"}}, "spec": {"containers": [{"name": "one", "image": "registry-${i}.local/app:1"}]}}`;
  const cases = Array.from({ length: 6 }, (_, k) => sizeTest(i, k)).join('\n');
  return `package constraints.${name}_test

import data.constraints.${name}

good := ${good}

test_allowed if {
	${name}.allow with input as good
}

test_nothing_said if {
	${name}.summary.level == "none" with input as good
	count(${name}.violation) == 0 with input as good
}

test_foreign_registry if {
	bad := object.union(good, {"spec": {"containers": [{"name": "one", "image": "elsewhere/app:1"}]}})
	${name}.violation == {"image elsewhere/app:1 is not from registry-${i}.local"} with input as bad
}

test_exempt_registry if {
	bad := object.union(good, {"spec": {"containers": [{"name": "one", "image": "elsewhere/app:1"}]}})
	${name}.allow with input as bad with data.exceptions.images as ["elsewhere"]
}

test_exempt_by_function if {
	bad := object.union(good, {"spec": {"containers": [{"name": "one", "image": "elsewhere/app:1"}]}})
	${name}.allow with input as bad with startswith as true
}

test_untagged if {
	bad := object.union(good, {"spec": {"containers": [{"name": "one", "image": "registry-${i}.local/app"}]}})
	not ${name}.allow with input as bad
}

test_missing_label if {
	bad := {"metadata": {"labels": {}}, "spec": good.spec}
	count(${name}.violation) == 2 with input as bad
	${name}.level == "warning" with input as bad
}

test_many_violations if {
	bad := {"metadata": {"labels": {}}, "spec": {"containers": [{"name": "one", "image": "elsewhere/app"}]}}
	${name}.level == "critical" with input as bad
}

test_review if {
	${name}.allow with input as {"review": {"kind": "Pod", "object": good}}
}

test_library_replaced if {
	${name}.violation == {"image x has no tag"} with data.lib.kubernetes.images as {"x"} with data.constraints.${name}.registry as "x" with input as good
}

${cases}`;
}

function sizeTest(i: number, k: number): string {
  const memory = 100 * (k + 1) * 2;
  const large = k % 2 === 0;
  const fits = memory <= (large ? 1024 : 512);
  const name = `constraints.c${String(i).padStart(4, '0')}`;
  return `test_memory_${k} if {
	container := {"name": "one", "image": "registry-${i}.local/app:1", "resources": {"limits": {"memory": "${memory}Mi"}}}
	pod := {"metadata": {"namespace": "${large ? 'large' : 'small'}-${i % 5}", "labels": good.metadata.labels}, "spec": {"containers": [container]}}
	${fits ? '' : 'not '}data.${name}.allow with input as pod
}
`;
}

function main([directory, lines = '10000', version = 'v1']: readonly string[]): void {
  if (directory === undefined || (version !== 'v0' && version !== 'v1')) {
    console.error('usage: tsx bench/policy-repository.ts DIR [LINES] [v0|v1]');
    process.exitCode = 1;
    return;
  }
  for (const [path, text] of policyRepository({ lines: Number(lines), version })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
