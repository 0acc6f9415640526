/** Filters of the library. Loaded on demand: it needs the compiler. */
import { parseRef, parseTerm } from '../../compiler/index.js';
import type { Engine, Filtered, SourcesBeside } from '../../engine/index.js';
import {
  filter,
  filterAnswer,
  filterFields,
  MappingError,
  NamedTarget,
  parameterized,
  prismaWhere,
  sqlParts,
  sqlText,
  targets,
  ucastOf,
  withoutMaskRule,
} from '../../engine/index.js';
import { plainCopy, toPlain } from '../../values/index.js';
import { parsedOption } from '../decision-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { Follower } from '../follow.js';
import { inputValue } from '../prepared-decision.js';
import type { Attachment } from '../services/attachment.js';
import type { FilterOptions, PrismaFilter, SqlFilter, UcastFilter } from './filter-options.js';

/** The filter of a rule for the target of the options. */
export async function libraryFilter(
  engine: Engine,
  path: readonly string[],
  options: FilterOptions,
  signal: AbortSignal,
  { beside, attachment }: { readonly beside: SourcesBeside; readonly attachment?: Attachment | undefined },
): Promise<SqlFilter | UcastFilter | PrismaFilter> {
  checkFilterOptions(options);
  const named = namedTarget(options);
  const given = options.unknowns?.map((text) => parsedOption(text, 'unknowns', parseRef));
  // As over REST, an empty list names none.
  const unknowns = given?.length === 0 ? undefined : given;
  const maskRule = options.maskRule === undefined ? undefined : parsedOption(options.maskRule, 'maskRule', parseTerm);
  const question = { path, input: inputValue(options.input), unknowns, maskRule, targets: [named] };
  const written = (found: Filtered, recording: Follower | undefined) => {
    if (found.missingMaskRule !== undefined) {
      const error = withoutMaskRule(found.missingMaskRule);
      throw maskRule === undefined ? error : new EngineError('invalid_option', `option maskRule: ${error.message}`);
    }
    const answer = { ...common(found), ...conditionOf(found, named, options) };
    const logged = { partial: found.asked, custom: filterFields(unknowns, {}, found) };
    recording?.succeeded(filterAnswer(found, named), found.version.active, undefined, logged);
    return answer;
  };
  const asking = { timeMs: options.timeMs ?? 0, signal };
  const decide = async (recording: Follower | undefined) => {
    try {
      return await filter(engine, question, recording?.options ?? asking, (found) => written(found, recording), {
        beside,
      });
    } catch (error) {
      recording?.failed(error);
      throw error;
    }
  };
  if (attachment === undefined) return await decide(undefined);
  const asked = { path: path.join('/'), segments: path, custom: filterFields(unknowns, {}) };
  return await attachment.follow(asked, question.input, asking, decide);
}

const types: Readonly<Record<keyof FilterOptions, (value: unknown) => boolean>> = {
  target: (value) => typeof value === 'string',
  input: () => true,
  unknowns: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  mappings: (value) => typeof value === 'object' && value !== null,
  maskRule: (value) => typeof value === 'string',
  table: (value) => typeof value === 'string',
  placeholders: (value) => value === 'dialect' || value === '?',
  timeMs: (value) => typeof value === 'number' && value >= 0,
  signal: (value) => value instanceof AbortSignal,
};

function checkFilterOptions(options: FilterOptions): void {
  if (typeof options !== 'object' || options === null) throw new EngineError('invalid_option', 'options are no object');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(types, name))
      throw new EngineError(
        'invalid_option',
        `there is no option ${name}; options are ${Object.keys(types).join(', ')}`,
      );
    if (value !== undefined && !types[name as keyof FilterOptions](value))
      throw new EngineError('invalid_option', `option ${name} cannot be ${String(value)}`);
  }
  if (options.target === undefined) throw new EngineError('invalid_option', 'option target is missing');
}

function namedTarget({ target, mappings }: FilterOptions): NamedTarget {
  const name = target === 'prisma' ? 'ucast+prisma' : target.includes('+') ? target : `sql+${target}`;
  const known = targets.get(name);
  if (known === undefined) throw new EngineError('invalid_option', `there is no target ${target}`);
  try {
    // Under the kind, so that they may name the tables of columns.
    return new NamedTarget(known, mappings === undefined ? undefined : { [known.kind]: mappings });
  } catch (error) {
    throw error instanceof MappingError ? new EngineError('invalid_option', error.message) : error;
  }
}

function common({ condition, masks, hints }: Filtered): Pick<SqlFilter, 'rows' | 'masks' | 'hints'> {
  const rows = condition.type !== 'constant' ? 'some' : condition.holds ? 'all' : 'none';
  return { rows, hints, ...(masks !== undefined && { masks: plainCopy(masks) }) };
}

function conditionOf({ condition }: Filtered, named: NamedTarget, { target, table, placeholders }: FilterOptions) {
  if (target === 'prisma') return { where: prismaWhere(condition, named, table) };
  if (named.target.kind === 'ucast') {
    const isNever = condition.type === 'constant' && !condition.holds;
    return isNever ? {} : { condition: toPlain(ucastOf(condition, named)) };
  }
  const parts = sqlParts(condition, named);
  return { where: sqlText(parts), ...parameterized(parts, named.target.dialect, placeholders) };
}
