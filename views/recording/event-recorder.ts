/** Records the events of a run in columns: a million take some 40 MB. */

import type { Secrets } from '../../engine/index.js';
import { mutatedBy, type Operand, type Policy, type StringConst } from '../../ir-schema/index.js';
import type { ReadLocals } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { eventNames, type PlanEvent } from './plan-events.js';
import type { EventColumns } from './recording.js';
import { ValueTexts } from './value-texts.js';

export interface RecordOptions {
  /** Events that are recorded; those after are only counted. */
  readonly limit: number;
  /** Characters at which the text of a value is cut. */
  readonly size: number;
  readonly secrets: Secrets;
}

/** Characters of all texts together: values after these are `…`. */
const maxTextSize = 32 * 1024 * 1024;
const masked = '[masked]';
const omitted = '…';
const undefinedValue = -1;

const numbers = new Map(eventNames.map((name, i) => [name, i]));

/** Distinct texts by their number. */
class Table {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  has(text: string): boolean {
    return this.#numbers.has(text);
  }
}

export class EventRecorder {
  readonly #options: RecordOptions;
  readonly #strings: readonly StringConst[];
  readonly #texts: ValueTexts;
  readonly #op: number[] = [];
  readonly #at: number[] = [];
  readonly #stores: number[] = [];
  readonly #values: number[] = [];
  readonly #statements = new Table();
  readonly #owners = new Table();
  readonly #table = new Table();
  #total = 0;
  #textSize = 0;

  constructor(policy: Policy, options: RecordOptions) {
    this.#options = options;
    this.#strings = policy.static?.strings ?? [];
    this.#texts = new ValueTexts(options.size, options.secrets);
  }

  readonly take = (event: PlanEvent): void => {
    if (++this.#total > this.#options.limit) return;
    const { name, owner, statement } = event;
    const before = this.#values.length;
    const at =
      statement === undefined ? this.#owners.numberOf(owner.name) : this.#statements.numberOf(statement.address);
    this.#addValues(event);
    this.#op.push(numbers.get(name)!);
    this.#at.push(at);
    this.#stores.push(this.#values.length - before);
  };

  #addValues(event: PlanEvent): void {
    const { name, stored, locals, text, result } = event;
    if (text !== undefined) this.#add(this.#texts.message(text));
    if (name === 'return' && result !== undefined) this.#add(this.#texts.of(result));
    const isHidden = stored.length > 0 && this.#isHidden(event);
    const isGrowing = event.statement !== undefined && mutatedBy(event.statement.stmt) !== undefined;
    for (const local of stored) {
      const value = locals.get(local);
      if (value === undefined) this.#values.push(undefinedValue);
      else this.#add(isHidden ? masked : isGrowing ? this.#texts.ofGrowing(value) : this.#texts.of(value));
    }
  }

  /** Whether the value is masked by its place: a look-up in the input, or an element of it. */
  #isHidden({ statement, locals, before }: PlanEvent): boolean {
    const { secrets } = this.#options;
    if (secrets.isEmpty || statement === undefined) return false;
    const { type, stmt } = statement.stmt;
    if (type === 'ScanStmt') return secrets.hidesKey(locals.get(stmt.source), locals.get(stmt.key));
    if (type !== 'DotStmt' || stmt.source.type !== 'local') return false;
    return secrets.hidesKey(before.get(stmt.source.value), this.#operand(stmt.key, before));
  }

  #operand({ type, value }: Operand, locals: ReadLocals): Value | undefined {
    if (type === 'local') return locals.get(value);
    return type === 'bool' ? value : this.#strings[value]?.value;
  }

  #add(text: string): void {
    if (!this.#table.has(text) && (this.#textSize += text.length) > maxTextSize)
      this.#values.push(this.#table.numberOf(omitted));
    else this.#values.push(this.#table.numberOf(text));
  }

  get columns(): EventColumns {
    return {
      total: this.#total,
      op: this.#op,
      at: this.#at,
      stores: this.#stores,
      values: this.#values,
      statements: this.#statements.texts,
      owners: this.#owners.texts,
      texts: this.#table.texts,
    };
  }
}
