/** Tables of cases: principals, resources and actions, with the answers that are expected. */
import { isArray, isObject, objectEntries, objectGet, toJson, type Value } from '../../../values/index.js';

/** A case: its name, the input, and the answers that it accepts: none stands for undefined. */
interface TableCase {
  readonly name: string;
  readonly input: Value;
  readonly accepts: readonly (readonly Value[])[];
}

export interface CaseTable {
  /** The document that is asked for, below `data`. */
  readonly decision: readonly string[];
  readonly cases: readonly TableCase[];
}

/** The names of a table's members. */
const members = ['decision', 'input', 'principals', 'resources', 'cases'];

/** The cases of a document. Throws an Error that names the member. */
export function readTable(document: Value): CaseTable {
  const table = objectOf(document, 'the table');
  const unknown = [...table.keys()].find((name) => !members.includes(name));
  if (unknown !== undefined) throw new Error(`it has ${unknown}, but a table has ${members.join(', ')}`);
  const principals = objectOf(table.get('principals'), 'principals');
  const resources = objectOf(table.get('resources'), 'resources');
  const names = inputNames(table.get('input'));
  const rows = table.get('cases');
  if (rows === undefined || !isArray(rows)) throw new Error('cases must be a list');
  const cases = rows.flatMap((row, i) => casesOf(row, `cases[${i}]`, { principals, resources, names }));
  const double = cases.find(({ name }, i) => cases.findIndex((other) => other.name === name) < i);
  if (double !== undefined) throw new Error(`the case ${double.name} is there twice`);
  return { decision: decisionOf(table.get('decision')), cases };
}

interface Parts {
  readonly principals: ReadonlyMap<string, Value>;
  readonly resources: ReadonlyMap<string, Value>;
  readonly names: Readonly<Record<'principal' | 'resource' | 'action', string>>;
}

function casesOf(row: Value, place: string, { principals, resources, names }: Parts): TableCase[] {
  const fields = objectOf(row, place);
  const other = [...fields.keys()].find((name) => !['principals', 'resources', 'expected'].includes(name));
  if (other !== undefined) throw new Error(`${place} has ${other}, but a case has principals, resources, expected`);
  const expected = objectOf(fields.get('expected'), `${place}.expected`);
  const who = chosen(fields.get('principals'), principals, `${place}.principals`);
  const what = chosen(fields.get('resources'), resources, `${place}.resources`);
  return who.flatMap(([principal, one]) =>
    what.flatMap(([resource, asked]) =>
      [...expected].map(([action, answer]) => ({
        name: `${principal} ${action} ${resource}`,
        input: Object.fromEntries([
          [names.principal, one],
          [names.resource, asked],
          [names.action, action],
        ]),
        // A rule that does not hold may be undefined.
        accepts: answer === false ? [[false], []] : [[answer]],
      })),
    ),
  );
}

/** The named members; all, where none is named. */
function chosen(
  names: Value | undefined,
  all: ReadonlyMap<string, Value>,
  place: string,
): readonly (readonly [string, Value])[] {
  if (names === undefined) return [...all];
  if (!isArray(names)) throw new Error(`${place} must be a list of names`);
  return names.map((name) => {
    const value = typeof name === 'string' ? all.get(name) : undefined;
    if (typeof name !== 'string' || value === undefined) throw new Error(`${place}: there is no ${toJson(name)}`);
    return [name, value] as const;
  });
}

/** The fields of the input: `principal`, `resource` and `action`, unless the table names others. */
function inputNames(given: Value | undefined): Parts['names'] {
  const names = { principal: 'principal', resource: 'resource', action: 'action' };
  if (given === undefined) return names;
  for (const [part, name] of objectOf(given, 'input')) {
    if (!Object.hasOwn(names, part))
      throw new Error(`input has ${part}, but its parts are principal, resource, action`);
    if (typeof name !== 'string') throw new Error(`input.${part} must be the name of a field`);
    names[part as keyof typeof names] = name;
  }
  if (new Set(Object.values(names)).size < 3) throw new Error('input has two parts of one name');
  return names;
}

/** `authz/allow`, or `data.authz.allow`. */
function decisionOf(given: Value | undefined): readonly string[] {
  const text = typeof given === 'string' ? given.replace(/^data\./, '') : '';
  const path = text.split(/[./]/);
  if (path.some((name) => name === '')) throw new Error('decision must be a path such as authz/allow');
  return path;
}

function objectOf(value: Value | undefined, place: string): ReadonlyMap<string, Value> {
  if (value === undefined || !isObject(value)) throw new Error(`${place} must be an object`);
  const entries = Array.from(objectEntries(value), ([key]) => {
    if (typeof key !== 'string') throw new Error(`${place} must have names that are texts`);
    return [key, objectGet(value, key)!] as const;
  });
  return new Map(entries);
}
