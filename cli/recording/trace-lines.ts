/** Events of plans as lines: for people, and as JSON for programs. */

import type { AddressedStatement, Addresses, DebugIndex } from '../../ir-schema/index.js';
import { mutatedBy, StatementText } from '../../ir-schema/index.js';
import type { ObservedPolicy, PlanEvent, ValueTexts } from '../../views/index.js';

/** Deeper events are not indented further. */
const deepestIndent = 20;

/** The lines of one plan's events. */
export class TraceLines {
  readonly #statements: StatementText;
  readonly #files: readonly string[];
  readonly #values: ValueTexts;
  readonly #addresses: Addresses;
  readonly #debug: DebugIndex | undefined;
  /** The author's names of locals, by address. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>();

  constructor({ policy, addresses, debug }: ObservedPolicy, values: ValueTexts) {
    this.#addresses = addresses;
    this.#debug = debug;
    this.#statements = new StatementText(policy);
    this.#files = (policy.static?.files ?? []).map(({ value }) => value);
    this.#values = values;
  }

  text(event: PlanEvent): string {
    return `${'  '.repeat(Math.min(deepestIndent, event.level))}${this.#line(event)}`;
  }

  #line(event: PlanEvent): string {
    const { name, owner, statement, result, text, hasBegun } = event;
    const names = this.#namesAt(statement);
    const stored = listed(this.#stored(event), names);
    switch (name) {
      case 'call':
        return `${owner.kind} ${owner.name}${stored === '' ? '' : `  ${stored}`}`;
      case 'return':
        return result === undefined ? 'undefined' : `returns ${this.#values.of(result)}`;
      case 'round':
        return `round ${stored}`;
      case 'note':
      case 'error':
        return `${name} ${text}`;
      default: {
        const { address, stmt } = statement!;
        const reads = listed(this.#read(event), names);
        const end = name === 'fail' ? 'fails' : name === 'leave' ? 'left' : 'passes';
        const parts = [
          hasBegun ? `${address} ${end}` : `${address} ${this.#statements.statement(stmt)}`,
          reads,
          stored === '' ? '' : `→ ${stored}`,
          name === 'fail' && !hasBegun ? end : '',
        ];
        return parts.filter((part) => part !== '').join('  ');
      }
    }
  }

  /** One JSON document. */
  json(event: PlanEvent): string {
    const { name, owner, statement, depth, result, text } = event;
    const [read, stored] = [this.#read(event), this.#stored(event)];
    const names = this.#namesAt(statement);
    const named = [...read, ...stored].flatMap(([local]) => (names.has(local) ? [[local, names.get(local)]] : []));
    return JSON.stringify({
      op: name,
      ...(statement === undefined
        ? { [owner.kind === 'plan' ? 'plan' : 'function']: owner.name }
        : this.#place(statement)),
      depth,
      ...(read.length > 0 && { reads: Object.fromEntries(read) }),
      ...(stored.length > 0 && { stores: Object.fromEntries(stored) }),
      ...(named.length > 0 && { names: Object.fromEntries(named) as object }),
      ...(name === 'return' && { result: result === undefined ? null : this.#values.of(result) }),
      ...(text !== undefined && { text }),
    });
  }

  #place({ address, stmt }: AddressedStatement): object {
    const { file, row, col } = stmt.stmt;
    const name = this.#files[file];
    return {
      address,
      statement: this.#statements.statement(stmt),
      ...(name !== undefined && row > 0 && { location: { file: name, row, col } }),
    };
  }

  /** A local that is about to be written for the first time says nothing. */
  #read({ read, before, stored }: PlanEvent): readonly (readonly [string, string])[] {
    return read.flatMap((local) => {
      const value = before.get(local);
      if (value === undefined && stored.includes(local)) return [];
      return [[this.#statements.local(local), value === undefined ? 'undefined' : this.#values.of(value)] as const];
    });
  }

  #stored({ stored, locals, statement, name }: PlanEvent): readonly (readonly [string, string])[] {
    const isGrowing = name === 'pass' && statement !== undefined && mutatedBy(statement.stmt) !== undefined;
    return stored.map((local) => {
      const value = locals.get(local);
      return [
        this.#statements.local(local),
        value === undefined ? 'undefined' : isGrowing ? this.#values.ofGrowing(value) : this.#values.of(value),
      ];
    });
  }

  #namesAt(statement: AddressedStatement | undefined): ReadonlyMap<string, string> {
    if (statement === undefined || this.#debug === undefined) return noNames;
    let names = this.#names.get(statement.address);
    if (names === undefined) {
      // A local has its name from the statement after the one that stores it.
      const next = this.#addresses.get(statement.index + 1);
      const after = next?.owner === statement.owner ? this.#debug.locals(next.address) : [];
      const found = [...after, ...this.#debug.locals(statement.address)];
      names = new Map(found.map(([name, local]) => [this.#statements.local(local), name]));
      this.#names.set(statement.address, names);
    }
    return names;
  }
}

const noNames: ReadonlyMap<string, string> = new Map();

/** `l4 (user) = "alice"`. */
function listed(values: readonly (readonly [string, string])[], names: ReadonlyMap<string, string>): string {
  return values
    .map(([local, text]) => `${local}${names.has(local) ? ` (${names.get(local)})` : ''} = ${text}`)
    .join(', ');
}
