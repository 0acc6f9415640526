/**
 * The differences of two plans, by function and statement. Numbers of locals and strings,
 * positions, and the order of functions are no differences.
 */

import type { AddressedOwner, AddressedStatement, PlaceText, Policy } from '../../../ir-schema/index.js';
import { Addresses, StatementText } from '../../../ir-schema/index.js';
import { countedNoun } from '../../../values/index.js';
import { widest } from '../columns.js';
import { type BodyChange, type Both, diffBodies } from './body-diff.js';
import { ComparedPlans } from './compared-plans.js';

export interface PlanDiff {
  readonly changes: readonly PlanChange[];
  /** Numbers of the first and the second plan. */
  readonly sizes: Readonly<Record<'plans' | 'functions' | 'statements' | 'strings', readonly [number, number]>>;
}

/** `signature`: a function has other parameters or another path. */
type PlanChange = {
  /** The plan or function, by its name in the first plan that has it. */
  readonly owner: string;
  /** Whether it is the plan or function as a whole. */
  readonly whole?: 'plan' | 'func';
} & (BodyChange<ChangedPart> | ({ readonly change: 'signature' } & Both<ChangedPart>));

interface ChangedPart {
  /** The address; the name of a plan or function as a whole. */
  readonly at: string;
  readonly text: string;
  readonly location?: PlaceText;
}

/** @param isWanted of a plan or function of either plan */
export function diffPlans(a: Policy, b: Policy, isWanted: (owner: AddressedOwner) => boolean = () => true): PlanDiff {
  return new PolicyDiff(a, b).diff(isWanted);
}

interface Side {
  readonly policy: Policy;
  readonly addresses: Addresses;
  readonly text: StatementText;
  /** The text with whole strings. */
  readonly wholeText: StatementText;
}

function sideOf(policy: Policy): Side {
  return {
    policy,
    addresses: new Addresses(policy),
    text: new StatementText(policy),
    wholeText: new StatementText(policy, Infinity),
  };
}

class PolicyDiff {
  readonly #a: Side;
  readonly #b: Side;

  constructor(a: Policy, b: Policy) {
    [this.#a, this.#b] = [sideOf(a), sideOf(b)];
  }

  diff(isWanted: (owner: AddressedOwner) => boolean): PlanDiff {
    const [a, b] = [this.#a, this.#b];
    const compared = new ComparedPlans(a, b);
    const { both, onlyA, onlyB } = compared.pairs;
    const changes = [
      ...onlyA
        .filter(isWanted)
        .map(
          (owner): PlanChange => ({ change: 'removed', owner: owner.name, whole: owner.kind, a: wholeOf(owner, a) }),
        ),
      ...both
        .filter(([one, other]) => isWanted(one) || isWanted(other))
        .flatMap(([one, other]) => this.#body(one, other, compared)),
      ...onlyB
        .filter(isWanted)
        .map((owner): PlanChange => ({ change: 'added', owner: owner.name, whole: owner.kind, b: wholeOf(owner, b) })),
    ];
    return { changes, sizes: sizesOf(a, b) };
  }

  #body(a: AddressedOwner, b: AddressedOwner, compared: ComparedPlans): PlanChange[] {
    const changes = diffBodies(...compared.bodies(a, b)).map((change): PlanChange => {
      const owner = a.name;
      if (change.change === 'removed') return { change: 'removed', owner, a: partOf(change.a, this.#a) };
      if (change.change === 'added') return { change: 'added', owner, b: partOf(change.b, this.#b) };
      const parts = { a: partOf(change.a, this.#a), b: partOf(change.b, this.#b) };
      if (change.change !== 'changed' || parts.a.text !== parts.b.text)
        return { change: change.change, owner, ...parts };
      // Long strings that differ at the end.
      const whole = {
        a: { ...parts.a, text: this.#a.wholeText.statement(change.a.stmt) },
        b: { ...parts.b, text: this.#b.wholeText.statement(change.b.stmt) },
      };
      return { change: 'changed', owner, ...whole };
    });
    const [of, to] = [ownerSignature(a), ownerSignature(b)];
    if (of === to) return changes;
    const signature: PlanChange = {
      change: 'signature',
      owner: a.name,
      whole: 'func',
      a: { at: a.name, text: of },
      b: { at: b.name, text: to },
    };
    return [signature, ...changes];
  }
}

/** The part of a function that callers see, as text; empty for a plan. */
export function ownerSignature({ body }: AddressedOwner): string {
  if (!('params' in body)) return '';
  const count = body.params?.length ?? 0;
  return `${count} parameters${body.path ? `, path ${body.path.join('/')}` : ''}`;
}

function partOf({ address, stmt }: AddressedStatement, { text }: Side): ChangedPart {
  const location = text.place(stmt);
  return { at: address, text: text.statement(stmt), ...(location && { location }) };
}

function wholeOf(owner: AddressedOwner, { addresses }: Side): ChangedPart {
  const count = addresses.inside(owner).length;
  return { at: owner.name, text: countedNoun(count, 'statement') };
}

function sizesOf(a: Side, b: Side): PlanDiff['sizes'] {
  const both = (count: (side: Side) => number) => [count(a), count(b)] as const;
  return {
    plans: both(({ policy }) => policy.plans?.plans?.length ?? 0),
    functions: both(({ policy }) => policy.funcs?.funcs?.length ?? 0),
    statements: both(({ addresses }) => addresses.size),
    strings: both(({ policy }) => policy.static?.strings?.length ?? 0),
  };
}

const signs: Readonly<Record<PlanChange['change'], string>> = {
  changed: '~',
  variables: '~',
  moved: '~',
  signature: '~',
  removed: '-',
  added: '+',
};

/**
 * A line for each change, then one of the sizes if those of the code differ; empty without a
 * change.
 * @example
 * ~ g0.data.authz.allow/0.2.2  Equal l5 == "read"  →  Equal l5 == "write"
 */
export function diffText({ changes, sizes }: PlanDiff): string {
  if (changes.length === 0) return '';
  const width = widest(changes.map(nameOf));
  const lines = changes.map((change) => changeText(change, Math.min(widestAddress, width)));
  // Another constant may be in the table already.
  const isStringsOnly = sizesText({ ...sizes, strings: [0, 0] }).length === 0;
  return [...lines, ...(isStringsOnly ? [] : sizesText(sizes))].map((line) => `${line}\n`).join('');
}

/** A line of the numbers that differ. */
export function sizesText(sizes: PlanDiff['sizes']): string[] {
  const differing = Object.entries(sizes).filter(([, [a, b]]) => a !== b);
  return differing.length === 0 ? [] : [differing.map(([what, [a, b]]) => `${what} ${a} → ${b}`).join(', ')];
}

const widestAddress = 40;

function nameOf(change: PlanChange): string {
  const { at } = change.change === 'added' ? change.b : change.a;
  return change.whole === undefined ? at : `${change.whole} ${at}`;
}

function changeText(change: PlanChange, width: number): string {
  const start = `${signs[change.change]} ${nameOf(change).padEnd(width)}  `;
  switch (change.change) {
    case 'changed':
    case 'signature':
      return `${start}${change.a.text}  →  ${change.b.text}`;
    case 'variables':
      return `${start}${change.a.text}  →  ${change.b.text}  (other variables)`;
    case 'moved':
      return `${start}${change.a.text}  →  ${change.b.at}`;
    case 'removed':
      return start + change.a.text;
    case 'added':
      return start + change.b.text;
  }
}
