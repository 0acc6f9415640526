/**
 * A corpus of modules to compile: services in groups, each group with a library that its services
 * import. The same number gives the same text.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const groupSize = 10;

/** Writes `count` modules below a folder. */
export function writeCorpus(folder: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const file = join(folder, `team${Math.floor(i / groupSize)}`, `s${i % groupSize}.rego`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, i % groupSize === 0 ? libraryText(i) : serviceText(i));
  }
}

/**
 * A pseudo-random number below `bound`, determined by the module and by a constant for each use.
 */
function pick(i: number, use: number, bound: number): number {
  return (Math.imul(i + 1, 2654435761) >>> (7 + use)) % bound;
}

function libraryText(i: number): string {
  return `package corpus.team${Math.floor(i / groupSize)}.shared

import rego.v1

# What the services of a team have in common.

ranks := {"reader": 1, "writer": ${2 + pick(i, 1, 3)}, "admin": 9}

rank(account) := ranks[account.role]

default rank(_) := 0

office(address) if net.cidr_contains("172.${16 + pick(i, 2, 16)}.0.0/16", address)

office(address) if startswith(address, "10.${pick(i, 3, 250)}.")

current(session) if {
	not session.revoked
	session.until > ${1_000 + pick(i, 4, 9_000)}
}

admins contains id if {
	some id, account in data.accounts
	account.role == "admin"
}

labels[id] := label if {
	some id in admins
	label := sprintf("%s/%d", [upper(id), ${pick(i, 5, 100)}])
}

default frozen := false

frozen if input.mode in {"freeze", "readonly"}

quota := {"free": ${pick(i, 6, 20)}, "paid": ${100 + pick(i, 7, 900)}}[input.plan]
`;
}

function serviceText(i: number): string {
  const team = Math.floor(i / groupSize);
  return `package corpus.team${team}.s${i % groupSize}

import rego.v1

import data.corpus.team${team}.shared

default permitted := false

permitted if {
	input.verb == "read"
	input.resource == ["services", "${i}"]
}

permitted if {
	input.verb in {"create", "update"}
	shared.current(input.session)
	shared.rank(input.account) > ${pick(i, 1, 8)}
	not shared.frozen
}

permitted if {
	some group in input.account.groups
	some rule in data.rules[group]
	rule.verb == input.verb
	regex.match("^services/${i}(/|$)", rule.target)
}

problems contains text if {
	some field in ["owner", "contact", "tier"]
	not input.metadata[field]
	text := sprintf("%v lacks %v", [input.name, field])
}

problems contains text if {
	some job in input.jobs
	job.cpus > shared.quota / ${1 + pick(i, 2, 7)}
	text := concat(" ", [job.name, "asks for too much"])
}

problems contains "outside of the office" if {
	not shared.office(input.address)
	every job in input.jobs { job.kind != "interactive" }
}

by_region[region] := names if {
	some region in {region | some region in input.jobs[_].regions}
	names := sort([job.name | some job in input.jobs; region in job.regions])
}

weight := total if {
	total := sum([count(text) | some text in problems])
	total >= ${pick(i, 3, 60)}
}

weight := 0 if count(problems) == 0

result := {"permitted": permitted, "problems": problems, "weight": weight, "regions": by_region}
`;
}
