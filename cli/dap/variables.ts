/**
 * The trees of variables that a client unfolds: numbers that stand for scopes and collections, and
 * their members. The numbers are valid until the evaluation goes on.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import {
  isArray,
  isObject,
  isSet,
  objectGet,
  objectSize,
  sortedKeys,
  sortedMembers,
  typeName,
  type Value,
} from '../../values/index.js';
import type { SessionVariable } from '../../views/index.js';
import { keyInPath } from './document-path.js';
import { ArgumentError } from './protocol/arguments.js';
import { debugValueText, type ValueFormat } from './value-text.js';

/** Members that are sent at once; a larger collection is shown in groups, unless by pages. */
const mostMembers = 500;

/** Members that a client gets by one page. */
const longestPage = 10_000;

export interface Page {
  /** The members that are asked for: those with names, or those that are counted. */
  readonly filter: string | undefined;
  readonly start: number | undefined;
  /** 0: all. */
  readonly count: number | undefined;
}

/** The fields of a value that variables and results of expressions share. */
export interface ShownVariables {
  readonly value: string;
  readonly type: string;
  readonly variablesReference: number;
  readonly namedVariables?: number;
  readonly indexedVariables?: number;
}

/** The members of a scope or a collection. */
interface Members {
  readonly size: number;
  /** Whether they are counted and not named, so that clients ask for pages. */
  readonly isIndexed: boolean;
  slice(start: number, end: number): readonly SessionVariable[];
}

/** Members with a number. */
interface Numbered extends Members {
  /** The numbers of members that are collections and were shown. */
  readonly shown: Map<string, number>;
}

export class Variables {
  readonly #numbered = new Map<number, Numbered>();
  /** Goes on after a clear: an old number does not become valid again. */
  #last = 0;

  /** All numbers are invalid from now on. */
  clear(): void {
    this.#numbered.clear();
  }

  /** A number for a list of variables, which is read when it is first unfolded. */
  list(read: () => readonly SessionVariable[]): number {
    let list: readonly SessionVariable[] | undefined;
    const variables = () => (list ??= read());
    return this.#add({
      isIndexed: false,
      get size() {
        return variables().length;
      },
      slice: (start, end) => variables().slice(start, end),
    });
  }

  /** The text of a value, and a number for its members if it is a collection. */
  show(
    value: Value | undefined,
    expression: string | undefined,
    isWritable: boolean,
    format: ValueFormat,
  ): ShownVariables {
    const members = membersOf(value, expression, isWritable);
    return this.#shown(value, members === undefined ? 0 : this.#add(members), format);
  }

  /** The members of a number. Throws an ArgumentError if it is not valid. */
  read(number: number, { filter, start = 0, count = 0 }: Page, format: ValueFormat): DebugProtocol.Variable[] {
    const members = this.#at(number);
    if (filter === (members.isIndexed ? 'named' : 'indexed')) return [];
    const { size } = members;
    if (start === 0 && count === 0 && size > mostMembers) return this.#groups(members);
    const length = Math.min(longestPage, count === 0 ? size : count);
    const page = members.slice(start, Math.min(size, start + length));
    return page.map(({ name, value, expression, isWritable }) => ({
      name,
      ...this.#shown(
        value,
        this.#numberOf(members, name, () => membersOf(value, expression, isWritable)),
        format,
      ),
      ...(expression === undefined ? {} : { evaluateName: expression }),
      ...(isWritable ? {} : { presentationHint: { attributes: ['readOnly'] } }),
    }));
  }

  /** The member of a name. Throws an ArgumentError if there is none. */
  find(number: number, name: string): SessionVariable {
    const members = this.#at(number);
    for (let start = 0; start < members.size; start += mostMembers) {
      const found = members
        .slice(start, Math.min(members.size, start + mostMembers))
        .find((member) => member.name === name);
      if (found !== undefined) return found;
    }
    throw new ArgumentError(`there is no variable ${name} here`);
  }

  /** Ranges of members, as variables with members of their own. */
  #groups(members: Numbered): DebugProtocol.Variable[] {
    const { size, isIndexed } = members;
    let length = mostMembers;
    while (size / length > mostMembers) length *= mostMembers;
    const groups: DebugProtocol.Variable[] = [];
    for (let first = 0; first < size; first += length) {
      const end = Math.min(size, first + length);
      const name = `[${first}…${end - 1}]`;
      const group = () => ({
        size: end - first,
        isIndexed,
        slice: (from: number, to: number) => members.slice(first + from, first + to),
      });
      groups.push({
        name,
        value: `${end - first} of ${size}`,
        ...this.#counted(this.#numberOf(members, name, group)),
        presentationHint: { kind: 'virtual', attributes: ['readOnly'] },
      });
    }
    return groups;
  }

  #shown(value: Value | undefined, number: number, format: ValueFormat): ShownVariables {
    return {
      value: debugValueText(value, format),
      type: value === undefined ? 'undefined' : typeName(value),
      ...this.#counted(number),
    };
  }

  /** A number with the count of its members. */
  #counted(number: number): Omit<ShownVariables, 'value' | 'type'> {
    const members = this.#numbered.get(number);
    if (members === undefined) return { variablesReference: 0 };
    return { variablesReference: number, [members.isIndexed ? 'indexedVariables' : 'namedVariables']: members.size };
  }

  /** The number of members within others: the same however often they are shown. */
  #numberOf(within: Numbered, name: string, make: () => Members | undefined): number {
    const known = within.shown.get(name);
    if (known !== undefined) return known;
    const members = make();
    if (members === undefined) return 0;
    const number = this.#add(members);
    within.shown.set(name, number);
    return number;
  }

  #at(number: number): Numbered {
    const members = this.#numbered.get(number);
    if (members === undefined) throw new ArgumentError(`the variables of number ${number} are not shown any more`);
    return members;
  }

  #add(members: Members): number {
    const { isIndexed, slice } = members;
    const numbered: Numbered = {
      isIndexed,
      slice,
      shown: new Map(),
      get size() {
        return members.size;
      },
    };
    this.#numbered.set(++this.#last, numbered);
    return this.#last;
  }
}

/** The members of a collection; undefined for other values, and where there are none. */
function membersOf(value: Value | undefined, expression: string | undefined, isWritable: boolean): Members | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return undefined;
  const below = (key: Value) => (expression === undefined ? undefined : `${expression}${keyInPath(key)}`);
  const shown = { longest: longestName, hex: false };
  if (isArray(value)) {
    if (value.length === 0) return undefined;
    const member = (item: Value, i: number): SessionVariable => ({
      name: String(i),
      value: item,
      expression: below(i),
      isWritable,
    });
    return {
      size: value.length,
      isIndexed: true,
      slice: (start, end) => value.slice(start, end).map((item, i) => member(item, start + i)),
    };
  }
  if (isSet(value)) {
    if (value.size === 0) return undefined;
    const member = (item: Value, i: number): SessionVariable => ({
      name: String(i),
      value: item,
      expression: below(item),
      isWritable: false,
    });
    const { size } = value;
    return {
      size,
      isIndexed: true,
      slice: (start, end) =>
        sortedMembers(value)
          .slice(start, end)
          .map((item, i) => member(item, start + i)),
    };
  }
  if (!isObject(value) || objectSize(value) === 0) return undefined;
  const member = (key: Value): SessionVariable => ({
    name: typeof key === 'string' ? key : debugValueText(key, shown),
    value: objectGet(value, key),
    expression: below(key),
    isWritable,
  });
  return {
    size: objectSize(value),
    isIndexed: false,
    slice: (start, end) => sortedKeys(value).slice(start, end).map(member),
  };
}

/** Characters of a name that is the text of a key. */
const longestName = 200;
