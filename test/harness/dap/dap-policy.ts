/** A policy to debug, with a row for each of its places. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const shopPolicy = `package shop

import rego.v1

default allow := false

allow if {
	some role in roles
	grants[role][_] == input.action
	print("granted by", role)
}

allow if owns(input.user, input.order)

roles contains role if some role in data.users[input.user].roles

grants := {
	"clerk": ["read", "pay"],
	"guest": ["read"],
}

owns(user, order) if data.orders[order].owner == user

cheap(order) if every item in data.orders[order].items {
	item.price < limit
}

limit := 100

total(order) := sum([price |
	some item in data.orders[order].items
	price := discount(item.price) with input.user as "root"
])

discount(price) := price * 2 if input.user == "root"

discount(price) := price if input.user != "root"
`;

/** The number of the first row that contains a text. */
export function rowOf(text: string): number {
  const row = shopPolicy.split('\n').findIndex((line) => line.includes(text));
  if (row < 0) throw new Error(`no row with ${text}`);
  return row + 1;
}

export const shopData = {
  users: { alice: { roles: ['guest', 'clerk'] }, bob: { roles: ['guest'] } },
  orders: { o1: { owner: 'bob', items: [{ price: 10 }, { price: 20 }] } },
};

/** Writes policy, data and input into a new folder. */
export function shopFolder(): { readonly folder: string; readonly policy: string; readonly launch: object } {
  const folder = mkdtempSync(join(tmpdir(), 'writ-dap-'));
  const policy = join(folder, 'shop.rego');
  writeFileSync(policy, shopPolicy);
  writeFileSync(join(folder, 'data.json'), JSON.stringify(shopData));
  writeFileSync(join(folder, 'input.json'), JSON.stringify({ user: 'alice', action: 'pay', order: 'o1' }));
  const launch = { dataPaths: [policy, join(folder, 'data.json')], inputPath: join(folder, 'input.json') };
  return { folder, policy, launch };
}
