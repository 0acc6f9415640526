/** Filters as the REST API and events of the decision log have them. */
import { documentText, printTerm, type RefTerm } from '../../compiler/index.js';
import type { PlainObject } from '../../values/index.js';
import type { NamedTarget } from '../query/filters/mappings.js';
import { sqlParts, sqlText } from '../query/filters/sql/write.js';
import { ucastOf } from '../query/filters/ucast.js';
import type { Filtered } from './filter.js';

/** The query of a target, and the masks; undefined where no rows are allowed. */
export function filterAnswer({ condition, masks }: Filtered, named: NamedTarget): PlainObject | undefined {
  if (condition.type === 'constant' && !condition.holds) return undefined;
  const isUcast = named.target.kind === 'ucast';
  const isAlways = condition.type === 'constant';
  const query = isUcast ? ucastOf(condition, named) : isAlways ? '' : `WHERE ${sqlText(sqlParts(condition, named))}`;
  return { query, ...(masks !== undefined && { masks }) };
}

/**
 * The members of an event that describe a filter, under the reference's names.
 * @param unknowns as asked for; what was found tells those of annotations
 */
export function filterFields(
  unknowns: readonly RefTerm[] | undefined,
  options: PlainObject,
  found?: Filtered,
): PlainObject {
  const tables = found?.asked.unknowns ?? unknowns;
  const mask = found?.maskRule;
  return {
    type: 'open-policy-agent/compile',
    ...(Object.keys(options).length > 0 && { options }),
    ...(tables !== undefined && { unknowns: tables.map(printTerm) }),
    ...(mask !== undefined && { mask_rule: documentText(mask) }),
  };
}
