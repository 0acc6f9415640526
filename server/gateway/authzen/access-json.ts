/** Answers of the AuthZEN API as JSON. */

import { toJson, type Value } from '../../../values/index.js';
import type { AccessAnswer } from './access-answer.js';
import type { EntityKind } from './authzen-config.js';

export function answerJson({ decision, context }: AccessAnswer): string {
  return membersJson([
    ['decision', decision],
    ['context', context],
  ]);
}

/** An entity of a search's results. */
export function entityJson(kind: EntityKind, { type, id, name, properties }: Readonly<Record<string, Value>>): string {
  if (kind === 'action')
    return membersJson([
      ['name', name],
      ['properties', properties],
    ]);
  return membersJson([
    ['type', type],
    ['id', id],
    ['properties', properties],
  ]);
}

/**
 * An object whose members are in the order of the specification's examples: harnesses of the
 * working group compare the texts of answers.
 */
function membersJson(members: readonly (readonly [name: string, value: Value | undefined])[]): string {
  const parts = members.flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${toJson(value)}`],
  );
  return `{${parts.join(',')}}`;
}
