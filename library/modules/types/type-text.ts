/** The text of TypeScript types. */

export const unknown = 'unknown';

export interface MemberText {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly description?: string | undefined;
}

/** The members whose names begin with a text. */
export interface PrefixText {
  readonly prefix: string;
  readonly type: string;
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
  return distinct.length === 0
    ? unknown
    : distinct.map((type) => (distinct.length > 1 ? grouped(type) : type)).join(' & ');
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
  const lines = members.map((member) => memberText(member, member.type));
  if (others !== undefined) {
    const isOptional = members.some(({ optional }) => optional);
    lines.push(`readonly [key: string]: ${indexText(members, others, isOptional)};`);
  }
  return lines.length === 0 ? emptyObject : blockText(lines);
}

const emptyObject = '{ readonly [key: string]: never }';

/**
 * The type of an object that a caller gives. Its members may be undefined, which counts as absent:
 * with `exactOptionalPropertyTypes`, an optional member does not admit that by itself.
 */
export function givenObjectText(
  members: readonly MemberText[],
  others: string | undefined,
  prefixes: readonly PrefixText[],
): string {
  const lines = givenMembers(members);
  for (const { prefix, type } of prefixes)
    lines.push(`readonly [key: \`${prefix}\${string}\`]: ${unionText([type, 'undefined'])};`);
  if (others !== undefined)
    lines.push(`readonly [key: string]: ${indexText([...members, ...prefixes], others, true)};`);
  return lines.length === 0 ? emptyObject : blockText(lines);
}

/**
 * An object that a caller gives, with some members and any others. Values of interfaces and
 * classes, which have no index signature, fit one of `any` only; arrays would fit it too.
 */
export function openObjectText(members: readonly MemberText[]): string {
  return blockText([...givenMembers(members), 'readonly [key: string]: any;', 'readonly [Symbol.iterator]?: never;']);
}

function givenMembers(members: readonly MemberText[]): string[] {
  return members.map((member) =>
    memberText(member, member.optional ? unionText([member.type, 'undefined']) : member.type),
  );
}

function indexText(members: readonly { readonly type: string }[], others: string, orUndefined: boolean): string {
  return unionText([others, ...members.map(({ type }) => type), ...(orUndefined ? ['undefined'] : [])]);
}

function memberText({ name, optional, description }: MemberText, type: string): string {
  return `${commentText(description)}readonly ${nameText(name)}${optional ? '?' : ''}: ${type};`;
}

function blockText(lines: readonly string[]): string {
  return `{\n${lines.map(indented).join('\n')}\n}`;
}

export function commentText(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = text.trim().replaceAll('*/', '*\\/').split(/\r?\n/);
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
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
