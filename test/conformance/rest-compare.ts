/** Compares a response with a recorded one, by the rules of rest/README.md. */

import { equal } from '../../values/equal.js';
import { toJson } from '../../values/json/json.js';
import { unescapedSegment } from '../../values/json/json-pointer.js';
import { isArray, isObject, type PlainObject, typeName, type Value } from '../../values/value.js';
import { Renaming, sameButForRules } from './rest-renaming.js';
import { sameCondition } from './rest-sql.js';

/** The parts of a recorded body that may differ: JSON pointers, `*` for any single key or index. */
export interface Freedom {
  readonly masks?: readonly string[];
  readonly optional?: readonly string[];
  readonly open?: readonly string[];
  readonly unordered?: readonly string[];
  readonly prefixes?: { readonly [pointer: string]: string };
  readonly alpha?: boolean;
  /** Texts, or arrays of texts, whose generated variables may have other names. */
  readonly locals?: readonly string[];
  /** SQL conditions whose alternatives may be in any order. */
  readonly disjunctions?: readonly string[];
}

/** The first difference between a body and the recorded one; undefined if they match. */
export function difference(want: Value, got: Value, freedom: Freedom): string | undefined {
  return new Comparison(freedom).at(want, got, [], new Renaming());
}

type Place = readonly string[];

class Comparison {
  readonly #freedom: Freedom;
  /** The renaming of generated variables in texts, for the whole document. */
  readonly #locals = new Renaming();

  constructor(freedom: Freedom) {
    this.#freedom = freedom;
  }

  /** @param renaming undefined if variables must have the recorded names */
  at(want: Value, got: Value, place: Place, renaming: Renaming | undefined): string | undefined {
    if (matches(this.#freedom.masks, place)) {
      return typeName(want) === typeName(got) ? undefined : `${pointer(place)}: wanted a ${typeName(want)}, got ${shown(got)}`;
    }
    const prefix = Object.entries(this.#freedom.prefixes ?? {}).find(([pattern]) => matchesOne(pattern, place))?.[1];
    if (prefix !== undefined) {
      return typeof got === 'string' && got.startsWith(prefix) ? undefined : `${pointer(place)}: wanted ${prefix}…, got ${shown(got)}`;
    }
    if (isArray(want)) return isArray(got) ? this.#arrays(want, got, place, renaming) : wrong(want, got, place);
    if (want !== null && isObject(want)) {
      return got !== null && isObject(got)
        ? this.#objects(want as PlainObject, got as PlainObject, place, renaming)
        : wrong(want, got, place);
    }
    const same = typeof want === 'string' && typeof got === 'string' ? this.#texts(want, got, place) : equal(want, got);
    return same ? undefined : wrong(want, got, place);
  }

  #texts(want: string, got: string, place: Place): boolean {
    const { alpha, locals, disjunctions } = this.#freedom;
    if (matches(locals, place) || matches(locals, place.slice(0, -1))) return this.#locals.sameText(want, got);
    const inAnyOrder = matches(disjunctions, place);
    if (inAnyOrder || want.startsWith('WHERE ')) return sameCondition(want, got, inAnyOrder);
    if (isOfEvent(place, 'op')) return want.toLowerCase() === got.toLowerCase();
    return want === got || (alpha === true && sameButForRules(want, got));
  }

  #objects(want: PlainObject, got: PlainObject, place: Place, renaming: Renaming | undefined): string | undefined {
    if (this.#freedom.alpha === true && renaming !== undefined && isVariable(want) && isVariable(got)) {
      return renaming.same(want.value as string, got.value as string) ? undefined : wrong(want, got, place);
    }
    for (const key of Object.keys(want)) {
      const inner = [...place, key];
      if (!Object.hasOwn(got, key)) {
        if (matches(this.#freedom.optional, inner)) continue;
        return `${pointer(inner)} is missing`;
      }
      const operator = renaming !== undefined && isNamed(key, want, place);
      const why = operator ? this.#named(want[key]!, got[key]!, inner, renaming) : this.at(want[key]!, got[key]!, inner, renaming);
      if (why !== undefined) return why;
    }
    if (matches(this.#freedom.open, place)) return undefined;
    const extra = Object.keys(got).find((key) => !Object.hasOwn(want, key) && !matches(this.#freedom.optional, [...place, key]));
    return extra === undefined ? undefined : `${pointer([...place, extra])} is not wanted: ${shown(got[extra]!)}`;
  }

  /** An array whose first element is the name of an operator or of a rule. */
  #named(want: Value, got: Value, place: Place, renaming: Renaming): string | undefined {
    if (!isArray(want) || !isArray(got) || want.length !== got.length || want.length === 0) return this.at(want, got, place, renaming);
    const first = this.at(want[0]!, got[0]!, [...place, '0'], undefined);
    return first ?? this.#elements(want, got, place, renaming, 1);
  }

  #arrays(want: readonly Value[], got: readonly Value[], place: Place, renaming: Renaming | undefined): string | undefined {
    const isOpen = matches(this.#freedom.open, place);
    if (isOpen ? got.length < want.length : got.length !== want.length) {
      return `${pointer(place)}: wanted ${want.length} elements, got ${got.length}: ${shown(got)}`;
    }
    if (isOfEvent(place, 'locals') && renaming !== undefined) return this.#bindings(want, got, place, renaming);
    if (!matches(this.#freedom.unordered, place)) return this.#elements(want, got, place, renaming, 0);
    const rest = [...got];
    for (const [i, member] of want.entries()) {
      const inner = [...place, String(i)];
      const found = rest.findIndex((candidate) => this.at(member, candidate, inner, new Renaming()) === undefined);
      if (found < 0) return `${pointer(inner)}: nothing like ${shown(member)} in ${shown(rest)}`;
      rest.splice(found, 1);
    }
    return undefined;
  }

  /**
   * Bindings of a trace event, in any order. Those of variables with a known renaming are matched
   * first, to distinguish the others.
   */
  #bindings(want: readonly Value[], got: readonly Value[], place: Place, renaming: Renaming): string | undefined {
    const rest = [...got];
    let open = [...want.entries()];
    for (const mayRename of [false, true]) {
      open = open.filter(([i, member]) => {
        const inner = [...place, String(i)];
        const found = rest.findIndex((candidate) => {
          const { size } = renaming;
          const fits = this.at(member, candidate, inner, renaming) === undefined && (mayRename || renaming.size === size);
          if (!fits) renaming.truncate(size);
          return fits;
        });
        if (found >= 0) rest.splice(found, 1);
        return found < 0;
      });
    }
    return open.length === 0 ? undefined : `${pointer(place)}: nothing like ${shown(open[0]![1])} in ${shown(rest)}`;
  }

  #elements(want: readonly Value[], got: readonly Value[], place: Place, renaming: Renaming | undefined, from: number): string | undefined {
    for (let i = from; i < want.length; i++) {
      const why = this.at(want[i]!, got[i]!, [...place, String(i)], renaming);
      if (why !== undefined) return why;
    }
    return undefined;
  }
}

function isVariable(term: PlainObject): boolean {
  return term.type === 'var' && typeof term.value === 'string';
}

/**
 * Whether the value of a key begins with a name: `terms` of an expression, `value` of a call, `ref`
 * of a head.
 */
function isNamed(key: string, object: PlainObject, place: Place): boolean {
  return key === 'terms' || (key === 'value' && object.type === 'call') || (key === 'ref' && place.at(-1) === 'head');
}

/** Whether a position is a member of a trace event. */
function isOfEvent(place: Place, key: string): boolean {
  return place.length === 3 && place[0] === 'explanation' && place[2] === key;
}

function matches(patterns: readonly string[] | undefined, place: Place): boolean {
  return patterns?.some((pattern) => matchesOne(pattern, place)) === true;
}

function matchesOne(pattern: string, place: Place): boolean {
  const parts = pattern === '' ? [] : pattern.slice(1).split('/');
  if (parts.length !== place.length) return false;
  return parts.every((part, i) => part === '*' || unescapedSegment(part) === place[i]);
}

function pointer(place: Place): string {
  return `/${place.join('/')}`;
}

function wrong(want: Value, got: Value, place: Place): string {
  return `${pointer(place)}: wanted ${shown(want)}, got ${shown(got)}`;
}

function shown(value: Value): string {
  const text = toJson(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
