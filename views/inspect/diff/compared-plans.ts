/** Two plans with their plans and functions in pairs. */
import type { AddressedOwner, Addresses, Policy } from '../../../ir-schema/index.js';
import type { ComparedBody } from './body-diff.js';
import { type Pairs, pairOwners, ShapeText } from './shapes.js';

interface ComparedPlan {
  readonly policy: Policy;
  readonly addresses: Addresses;
}

export class ComparedPlans {
  readonly pairs: Pairs;
  readonly #a: ComparedPlan;
  readonly #b: ComparedPlan;
  readonly #shapesA: ShapeText;
  readonly #shapesB: ShapeText;

  constructor(a: ComparedPlan, b: ComparedPlan) {
    [this.#a, this.#b] = [a, b];
    this.pairs = pairOwners(a, b);
    const names = new Map(this.pairs.both.map(([one, other]) => [other.body.name, one.body.name]));
    this.#shapesA = new ShapeText(a.policy);
    this.#shapesB = new ShapeText(b.policy, (name) => names.get(name) ?? name);
  }

  /** The bodies of a pair, to be compared. */
  bodies(a: AddressedOwner, b: AddressedOwner): readonly [ComparedBody, ComparedBody] {
    return [bodyOf(a, this.#a, this.#shapesA), bodyOf(b, this.#b, this.#shapesB)];
  }
}

function bodyOf(owner: AddressedOwner, { addresses }: ComparedPlan, shapes: ShapeText): ComparedBody {
  return {
    params: paramsOf(owner),
    statements: addresses.inside(owner),
    shapeOf: (stmt) => shapes.shape(stmt),
  };
}

/** The first locals of a plan are the input and the data. */
function paramsOf({ body }: AddressedOwner): readonly number[] {
  return 'params' in body ? (body.params ?? []) : [0, 1];
}
