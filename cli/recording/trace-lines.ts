/** Events of plans as lines: for people, and as JSON for programs. */

import type { PlanEvent } from '../../engine/recording/plan-events.js';
import type { ValueTexts } from '../../engine/recording/value-texts.js';
import type { AddressedStatement } from '../../ir-schema/address.js';
import { mutatedBy } from '../../ir-schema/effects.js';
import type { Policy } from '../../ir-schema/plan.js';
import { StatementText } from '../../ir-schema/statement-text.js';

/** Deeper events are not indented further. */
const deepestIndent = 20;

/** The lines of one plan's events. */
export class TraceLines {
  readonly #statements: StatementText;
  readonly #files: readonly string[];
  readonly #values: ValueTexts;

  constructor(policy: Policy, values: ValueTexts) {
    this.#statements = new StatementText(policy);
    this.#files = (policy.static?.files ?? []).map(({ value }) => value);
    this.#values = values;
  }

  text(event: PlanEvent): string {
    return `${'  '.repeat(Math.min(deepestIndent, event.level))}${this.#line(event)}`;
  }

  #line(event: PlanEvent): string {
    const { name, owner, statement, result, text, hasBegun } = event;
    const stored = this.#listed(this.#stored(event));
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
        const reads = this.#listed(this.#read(event));
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
    return JSON.stringify({
      op: name,
      ...(statement === undefined ? { [owner.kind === 'plan' ? 'plan' : 'function']: owner.name } : this.#place(statement)),
      depth,
      ...(read.length > 0 && { reads: Object.fromEntries(read) }),
      ...(stored.length > 0 && { stores: Object.fromEntries(stored) }),
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

  #listed(values: readonly (readonly [string, string])[]): string {
    return values.map(([name, text]) => `${name} = ${text}`).join(', ');
  }
}
