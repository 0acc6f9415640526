/** Conditions with their values apart, as drivers and query builders take them. */

import { refusedName } from '../filter-error.js';
import type { SqlDialect } from '../targets.js';
import type { SqlParts } from './write.js';

interface ParameterizedSql {
  /** The condition with placeholders. */
  readonly text: string;
  /** The values of the placeholders, in their order. */
  readonly values: readonly (string | number)[];
  /** The texts around the values: the first argument of a template tag. */
  readonly fragments: readonly string[];
}

const placeholders: Readonly<Record<SqlDialect, (index: number) => string>> = {
  postgresql: (index) => `$${index}`,
  sqlserver: (index) => `@p${index}`,
  mysql: () => '?',
  sqlite: () => '?',
};

/**
 * @param style `?` for libraries that count placeholders themselves; question marks in names are
 * then `\?`
 */
export function parameterized(
  parts: SqlParts,
  dialect: SqlDialect,
  style: 'dialect' | '?' = 'dialect',
): ParameterizedSql {
  const values: (string | number)[] = [];
  const fragments = [''];
  for (const part of parts) {
    if (typeof part === 'string') fragments[fragments.length - 1] += part;
    else {
      values.push(part.value);
      fragments.push('');
    }
  }
  const texts = style === '?' ? fragments.map(withoutQuestionMarks) : fragments;
  const text = texts
    .map((fragment, i) => (i === 0 ? fragment : (style === '?' ? '?' : placeholders[dialect](i)) + fragment))
    .join('');
  return { text, values, fragments };
}

function withoutQuestionMarks(fragment: string): string {
  if (fragment.includes('\\?')) throw refusedName(`a name with \\? needs the placeholders of the dialect: ${fragment}`);
  return fragment.replaceAll('?', '\\?');
}
