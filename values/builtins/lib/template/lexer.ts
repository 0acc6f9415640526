/** Text and actions of a template as tokens, in Go's `text/template` syntax. */
import { goQuote } from '../../../text/term-text.js';

type TokenKind =
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | 'name'
  | 'keyword'
  | 'field'
  | 'variable'
  | 'number'
  | 'string'
  | 'char'
  | 'bool'
  | 'dot'
  | 'nil'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'comma'
  | '('
  | ')'
  | 'other'
  | 'end';

export interface TemplateToken {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

/** A template that does not parse; the message is Go's, without the names of template and line. */
export class TemplateSyntaxError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const keywords = new Set(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'template', 'with']);
const word = /[\p{L}\p{Nd}_]*/uy;
const numberText =
  /[+-]?(?:0[xX][0-9a-fA-F_]*|0[bB][01_]*|0[oO][0-7_]*|[0-9_]*)(?:\.[0-9a-fA-F_]*)?(?:[eEpP][+-]?[0-9_]*)?i?/y;

/** Not by a pattern, whose time is quadratic in the number of spaces. */
function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

/** The tokens of a template. Throws a TemplateSyntaxError. */
export function lexTemplate(source: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let trimNext = false;
  let at = 0;
  while (at <= source.length) {
    const open = source.indexOf('{{', at);
    const end = open < 0 ? source.length : open;
    const trims = open >= 0 && source[open + 2] === '-' && isSpace(source[open + 3]);
    let text = source.slice(at, end);
    if (trimNext) text = text.replace(/^[ \t\r\n]+/, '');
    if (trims) text = withoutSpaceAtEnd(text);
    if (text !== '') tokens.push({ kind: 'text', text, at });
    if (open < 0) break;
    const inside = open + (trims ? 4 : 2);
    if (source.startsWith('/*', inside)) [at, trimNext] = skipComment(source, inside);
    else {
      tokens.push({ kind: 'open', text: '{{', at: open });
      [at, trimNext] = lexAction(source, inside, tokens);
    }
  }
  tokens.push({ kind: 'end', text: '', at: source.length });
  return tokens;
}

function skipComment(source: string, at: number): [number, boolean] {
  const end = source.indexOf('*/', at + 2);
  if (end < 0) throw new TemplateSyntaxError('unclosed comment', at);
  if (source.startsWith('}}', end + 2)) return [end + 4, false];
  if (isSpace(source[end + 2]) && source.startsWith('-}}', end + 3)) return [end + 6, true];
  throw new TemplateSyntaxError('comment ends before closing delimiter', at);
}

/**
 * An action's tokens, up to where its closing braces end; and whether they trim the text after it.
 */
function lexAction(source: string, at: number, tokens: TemplateToken[]): [number, boolean] {
  let parens = 0;
  for (;;) {
    const closing = closeAt(source, at);
    if (closing !== undefined) {
      if (parens > 0) throw new TemplateSyntaxError('unclosed left paren', at);
      tokens.push({ kind: 'close', text: '}}', at });
      return closing;
    }
    const token = lexToken(source, at);
    if (token.kind === '(') parens++;
    if (token.kind === ')' && --parens < 0) throw new TemplateSyntaxError('unexpected right paren', at);
    tokens.push(token);
    at += token.text.length;
  }
}

function closeAt(source: string, at: number): [number, boolean] | undefined {
  if (source.startsWith('}}', at)) return [at + 2, false];
  return isSpace(source[at]) && source.startsWith('-}}', at + 1) ? [at + 4, true] : undefined;
}

function lexToken(source: string, at: number): TemplateToken {
  const c = source[at];
  const next = source[at + 1];
  if (c === undefined) throw new TemplateSyntaxError('unclosed action', at);
  if (isSpace(c)) {
    let end = at + 1;
    // The last space may belong to a trim marker.
    while (isSpace(source[end]) && closeAt(source, end) === undefined) end++;
    return { kind: 'space', text: source.slice(at, end), at };
  }
  if (c === '=') return { kind: 'assign', text: '=', at };
  if (c === ':') {
    if (next !== '=') throw new TemplateSyntaxError('expected :=', at);
    return { kind: 'declare', text: ':=', at };
  }
  if (c === '|') return { kind: 'pipe', text: '|', at };
  if (c === '(' || c === ')') return { kind: c, text: c, at };
  if (c === ',') return { kind: 'comma', text: ',', at };
  if (c === '"') return lexQuoted(source, at, '"', 'string', 'unterminated quoted string');
  if (c === "'") return lexQuoted(source, at, "'", 'char', 'unterminated character constant');
  if (c === '`') {
    const end = source.indexOf('`', at + 1);
    if (end < 0) throw new TemplateSyntaxError('unterminated raw quoted string', at);
    return { kind: 'string', text: source.slice(at, end + 1), at };
  }
  if (c === '$') return lexWord(source, at, 'variable');
  if (c === '.' && !isDigit(next)) return lexWord(source, at, 'field');
  if (c === '.' || c === '+' || c === '-' || isDigit(c)) return lexNumber(source, at);
  if (/[\p{L}\p{Nd}_]/u.test(String.fromCodePoint(source.codePointAt(at) ?? 0))) return lexIdentifier(source, at);
  if (c > ' ' && c < '\x7f') return { kind: 'other', text: c, at };
  throw new TemplateSyntaxError(`unrecognized character in action: ${unicode(source, at)}`, at);
}

function lexQuoted(source: string, at: number, quote: string, kind: TokenKind, unterminated: string): TemplateToken {
  for (let i = at + 1; i < source.length && source[i] !== '\n'; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === quote) return { kind, text: source.slice(at, i + 1), at };
  }
  throw new TemplateSyntaxError(unterminated, at);
}

function wordAt(source: string, at: number): string {
  word.lastIndex = at;
  return word.exec(source)?.[0] ?? '';
}

function lexWord(source: string, at: number, kind: 'variable' | 'field'): TemplateToken {
  const text = source.charAt(at) + wordAt(source, at + 1);
  if (kind === 'field' && text === '.') return { kind: 'dot', text, at };
  checkTerminator(source, at + text.length);
  return { kind, text, at };
}

function lexIdentifier(source: string, at: number): TemplateToken {
  const text = wordAt(source, at);
  checkTerminator(source, at + text.length);
  if (text === 'true' || text === 'false') return { kind: 'bool', text, at };
  if (text === 'nil') return { kind: 'nil', text, at };
  return { kind: keywords.has(text) ? 'keyword' : 'name', text, at };
}

/**
 * Characters that may follow a field, variable or identifier; `{{.x,.y}}` and the like are
 * rejected.
 */
function checkTerminator(source: string, at: number): void {
  const c = source[at];
  if (c === undefined || isSpace(c) || '.,|:()='.includes(c) || source.startsWith('}}', at)) return;
  throw new TemplateSyntaxError(`bad character ${unicode(source, at)}`, at);
}

function lexNumber(source: string, at: number): TemplateToken {
  numberText.lastIndex = at;
  const text = numberText.exec(source)?.[0] ?? '';
  const rest = wordAt(source, at + text.length);
  if (rest !== '' || !/\d/.test(text))
    throw new TemplateSyntaxError(`bad number syntax: ${goQuote(text + (rest[0] ?? ''))}`, at);
  return { kind: 'number', text, at };
}

function unicode(source: string, at: number): string {
  const code = source.codePointAt(at) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(code)}'`;
}

function isSpace(c: string | undefined): boolean {
  return c === ' ' || c === '\t' || c === '\r' || c === '\n';
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9';
}
