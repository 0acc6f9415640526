/**
 * A corpus in groups of ten modules: the first of a group is a library that the other nine import.
 * The recompile bench writes one module among many of them.
 */

/** A corpus of any size. The bench accepts another one: a file that exports these two functions. */
export interface Corpus {
  /** The text of a module; `edit` changes its constants. */
  moduleText(i: number, edit?: number): string;
  /** The path of a document that the module's rules define. */
  entrypointOf(i: number): string;
}

const groupOf = (i: number): string => `group${String(Math.floor(i / 10)).padStart(4, '0')}`;

export const policyGroups: Corpus = {
  moduleText: (i, edit = 0) => (i % 10 === 0 ? library(i, edit) : policy(i, edit)),
  entrypointOf: (i) => `orders/${groupOf(i)}/p${i % 10}/answer`,
};

function library(i: number, edit: number): string {
  return `package orders.${groupOf(i)}.common

import data.accounts

ranks := {"viewer": 1, "editor": ${2 + (edit % 5)}, "admin": 9}

rank(account) := ranks[account.role]

default rank(_) := 0

is_open(order) if {
	order.state != "closed"
	order.total < ${500 + i}
}

is_open(order) if order.state == "reopened"

owners[order] := account.name if {
	some account in accounts
	some order in account.orders
}

regions contains region if {
	some account in accounts
	region := lower(account.region)
}

quota := {"free": 5, "paid": ${50 + (edit % 9)}}[input.plan]

default maintenance := false

maintenance if input.window in {"nightly", "weekend"}
`;
}

function policy(i: number, edit: number): string {
  return `package orders.${groupOf(i)}.p${i % 10}

import data.orders.${groupOf(i)}.common
import data.orders.${groupOf(i)}.common.regions as known

default allow := false

allow if {
	input.action == "read"
	input.order.id == ${i}
}

allow if {
	input.action in {"write", "close"}
	common.is_open(input.order)
	common.rank(input.account) > ${1 + (edit % 4)}
}

problems contains text if {
	some field in {"id", "state", "total"}
	not input.order[field]
	text := sprintf("order %v lacks %v", [input.order.id, field])
}

problems contains text if {
	some line in input.order.lines
	line.count > common.quota
	text := concat(" ", ["too many of", line.sku])
}

problems contains "unknown region" if {
	not lower(input.region) in known
}

by_sku[sku] := total if {
	some sku in {line.sku | some line in input.order.lines}
	total := sum([line.count | some line in input.order.lines; line.sku == sku])
}

delay := ${10 + (i % 7)} if common.maintenance

else := count(problems)

answer := {"allow": allow, "problems": problems, "delay": delay, "edit": ${edit}}
`;
}
