/** Statements as texts without the numbers of locals, to compare those of two plans. */
import type { AddressedOwner, Addresses, Policy, Stmt } from '../../../ir-schema/index.js';
import { StatementText } from '../../../ir-schema/index.js';

/** Whole strings, no numbers of locals, functions by names that both plans share. */
export class ShapeText extends StatementText {
  readonly #nameOf: (func: string) => string;

  constructor(policy: Policy, nameOf: (func: string) => string = (name) => name) {
    super(policy, Infinity);
    this.#nameOf = nameOf;
  }

  override local(): string {
    return '_';
  }

  shape(stmt: Stmt): string {
    if (stmt.type !== 'CallStmt') return this.statement(stmt);
    return this.statement({ type: stmt.type, stmt: { ...stmt.stmt, func: this.#nameOf(stmt.stmt.func) } });
  }
}

/** The plans and functions of two policies that are the same ones. */
export interface Pairs {
  readonly both: readonly (readonly [AddressedOwner, AddressedOwner])[];
  readonly onlyA: readonly AddressedOwner[];
  readonly onlyB: readonly AddressedOwner[];
}

/**
 * Pairs plans and functions by their names. Functions of one name that compilers number, such as
 * those of literals, are paired by what they do: another literal before them shifts their numbers.
 */
export function pairOwners(
  a: { policy: Policy; addresses: Addresses },
  b: { policy: Policy; addresses: Addresses },
): Pairs {
  const namesOfB = new Map(b.addresses.owners.map((owner) => [keyOf(owner), owner]));
  const [shapesA, shapesB] = [a, b].map(({ policy }) => new ShapeText(policy)) as [ShapeText, ShapeText];
  const both: (readonly [AddressedOwner, AddressedOwner])[] = [];
  const taken = new Set<AddressedOwner>();
  const left: AddressedOwner[] = [];
  const numbered = Map.groupBy(b.addresses.owners.filter(isNumbered), (owner) =>
    contentOf(owner, b.addresses, shapesB),
  );
  for (const owner of a.addresses.owners) {
    const same = isNumbered(owner)
      ? numbered.get(contentOf(owner, a.addresses, shapesA))?.find((candidate) => !taken.has(candidate))
      : namesOfB.get(keyOf(owner));
    if (same === undefined) left.push(owner);
    else {
      both.push([owner, same]);
      taken.add(same);
    }
  }
  const onlyA = left.filter((owner) => {
    const same = namesOfB.get(keyOf(owner));
    if (same === undefined || taken.has(same)) return true;
    both.push([owner, same]);
    taken.add(same);
    return false;
  });
  both.sort(([one], [other]) => one.index - other.index);
  return { both, onlyA, onlyB: b.addresses.owners.filter((owner) => !taken.has(owner)) };
}

function keyOf({ kind, name }: AddressedOwner): string {
  return `${kind} ${name}`;
}

/** Whether a function is of no rule, and has a number of the compiler for its name. */
function isNumbered({ kind, body: { name } }: AddressedOwner): boolean {
  return kind === 'func' && !/^g\d+\./.test(name) && /\d+$/.test(name);
}

function contentOf(owner: AddressedOwner, addresses: Addresses, text: ShapeText): string {
  return addresses
    .inside(owner)
    .map(({ steps, stmt }) => `${steps.join('.')} ${text.statement(stmt)}`)
    .join('\n');
}
