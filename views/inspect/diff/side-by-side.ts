/** The listings of two plans beside each other, with the changes that `diffPlans` counts. */

import type { Policy } from '../../../ir-schema/index.js';
import { type AddressedOwner, type AddressedStatement, Addresses, StatementText } from '../../../ir-schema/index.js';
import { alignBodies } from './body-diff.js';
import { ComparedPlans } from './compared-plans.js';
import { ownerSignature } from './plan-diff.js';

/** A line of either listing, or of both; undefined where one has none. */
export interface ListedRow {
  readonly a: string | undefined;
  readonly b: string | undefined;
  /** Lines may differ in numbers of locals and be the same all the same. */
  readonly isChanged: boolean;
}

/**
 * The lines of both listings. Functions are in the order of the first plan, and behind them those
 * that only the second has.
 */
export function sideBySide(a: Policy, b: Policy): readonly ListedRow[] {
  return new Listings(a, b).rows();
}

class Listings {
  readonly #texts: readonly [StatementText, StatementText];
  readonly #addresses: readonly [Addresses, Addresses];
  readonly #compared: ComparedPlans;

  constructor(a: Policy, b: Policy) {
    this.#texts = [new StatementText(a), new StatementText(b)];
    this.#addresses = [new Addresses(a), new Addresses(b)];
    const [addressesA, addressesB] = this.#addresses;
    this.#compared = new ComparedPlans({ policy: a, addresses: addressesA }, { policy: b, addresses: addressesB });
  }

  rows(): readonly ListedRow[] {
    const { both, onlyB } = this.#compared.pairs;
    const partners = new Map(both);
    const listed = [
      ...this.#addresses[0].owners.map((owner) => this.#owner(owner, partners.get(owner))),
      ...onlyB.map((owner) => this.#owner(undefined, owner)),
    ];
    return listed.flatMap((rows, i) => (i === 0 ? rows : [{ a: '', b: '', isChanged: false }, ...rows]));
  }

  #owner(a: AddressedOwner | undefined, b: AddressedOwner | undefined): readonly ListedRow[] {
    if (a !== undefined && b !== undefined) return this.#pair(a, b);
    const side = a === undefined ? 1 : 0;
    const owner = a ?? b!;
    const lines = this.#addresses[side].inside(owner).map((statement) => this.#line(side, statement));
    return [titleOf(owner), ...lines].map((line) =>
      side === 0 ? { a: line, b: undefined, isChanged: true } : { a: undefined, b: line, isChanged: true },
    );
  }

  #pair(a: AddressedOwner, b: AddressedOwner): readonly ListedRow[] {
    const title = { a: titleOf(a), b: titleOf(b), isChanged: ownerSignature(a) !== ownerSignature(b) };
    const rows = alignBodies(...this.#compared.bodies(a, b)).map(
      (one): ListedRow => ({
        a: one.change === 'added' ? undefined : this.#line(0, one.a),
        b: one.change === 'removed' ? undefined : this.#line(1, one.b),
        isChanged: one.change !== 'same',
      }),
    );
    return [title, ...rows];
  }

  /** `  0.3.1    Equal l5 == "read"`. */
  #line(side: 0 | 1, { steps, depth, stmt }: AddressedStatement): string {
    const indent = '  '.repeat(Math.min(depth - 1, deepestIndent));
    return `  ${steps.join('.').padEnd(addressWidth)} ${indent}${this.#texts[side].statement(stmt)}`;
  }
}

const addressWidth = 7;
const deepestIndent = 40;

function titleOf({ kind, name, body }: AddressedOwner): string {
  if (!('params' in body)) return `plan ${JSON.stringify(name)}`;
  const more = Math.max(0, (body.params?.length ?? 0) - 2);
  return `${kind} ${name}(input, data${more === 0 ? '' : `, ${more} more`})`;
}
