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
  const distinct = [...new Set(types)].filter((type) => type !== 'never');
  if (distinct.includes(unknown)) return unknown;
  return distinct.length === 0 ? 'never' : distinct.join(' | ');
}

/** All of some types at once. */
export function intersectionText(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== unknown);
  if (distinct.includes('never')) return 'never';
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
 * An object's members, and the type of others; undefined where there are none. The members must
 * fit the index signature of the others, which is therefore of their types as well.
 */
export function objectText(members: readonly MemberText[], others: string | undefined): string {
  const lines = members.map(memberText);
  if (others !== undefined) lines.push(`readonly [key: string]: ${indexText(members, others)};`);
  return lines.length === 0 ? '{ readonly [key: string]: never }' : blockText(lines);
}

/**
 * An object with some members, and any others. Values of interfaces and classes, which have no
 * index signature, fit one of `any` only; arrays would fit it too.
 */
export function openObjectText(members: readonly MemberText[]): string {
  return blockText([...members.map(memberText), 'readonly [key: string]: any;', 'readonly [Symbol.iterator]?: never;']);
}

function indexText(members: readonly MemberText[], others: string): string {
  const isOptional = members.some(({ optional }) => optional);
  return unionText([others, ...members.map(({ type }) => type), ...(isOptional ? ['undefined'] : [])]);
}

function memberText({ name, type, optional, description }: MemberText): string {
  return `${commentText(description)}readonly ${nameText(name)}${optional ? '?' : ''}: ${type};`;
}

function blockText(lines: readonly string[]): string {
  return `{\n${lines.map(indented).join('\n')}\n}`;
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
