/** The text of TypeScript types. */

export const unknown = 'unknown';

export interface MemberText {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly description?: string | undefined;
}

/** One of some types, each once. One of none is `never`. */
export function unionText(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes(unknown)) return unknown;
  return distinct.length === 0 ? 'never' : distinct.join(' | ');
}

/** All of some types at once. */
export function intersectionText(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== unknown);
  return distinct.length === 0 ? unknown : distinct.map((type) => (distinct.length > 1 ? grouped(type) : type)).join(' & ');
}

export function arrayText(element: string): string {
  return `readonly ${grouped(element)}[]`;
}

/** Elements by position, then more of one type; undefined where there are no more. */
export function tupleText(elements: readonly string[], rest: string | undefined): string {
  return `readonly [${[...elements, ...(rest === undefined ? [] : [`...${grouped(rest)}[]`])].join(', ')}]`;
}

/**
 * An object's members, and the type of others; undefined where there are none. The others of an
 * index signature would have to fit the members too: beside members they are unknown.
 */
export function objectText(members: readonly MemberText[], others: string | undefined): string {
  const lines = members.map(({ name, type, optional, description }) => {
    return `${commentText(description)}readonly ${nameText(name)}${optional ? '?' : ''}: ${type};`;
  });
  if (others !== undefined) lines.push(`readonly [key: string]: ${members.length > 0 ? unknown : others};`);
  return lines.length === 0 ? '{ readonly [key: string]: never }' : `{\n${lines.map(indented).join('\n')}\n}`;
}

export function commentText(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = text.trim().replaceAll('*/', '*\\/').split(/\r?\n/);
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A type that may stand before `[]`, or beside another. */
export function grouped(type: string): string {
  return /[|&]|^readonly /.test(type) ? `(${type})` : type;
}
