/**
 * Random modules with every form of the language, laid out at random, with comments between any two
 * tokens. The same seed makes the same module.
 */

import { Source } from '../../compiler/source/source.js';
import { lex } from '../../compiler/syntax/lexer.js';
import { Dot, LeftBracket, LeftParen, TemplateEnd, TemplatePart } from '../../compiler/syntax/tokens.js';

export type GeneratedVersion = 'v0' | 'v0v1' | 'v1';

export class ModuleGenerator {
  readonly #version: GeneratedVersion;
  readonly #hasLogic: boolean;
  #state: number;
  readonly #depth: number;
  #comments = 0;

  constructor(seed: number, version: GeneratedVersion) {
    this.#state = Math.imul(seed, 0x9e3779b1) | 0;
    this.#version = version;
    this.#depth = 1 + this.#below(3);
    this.#hasLogic = version !== 'v0' && this.#chance(15);
  }

  /** A module; most are ones that the parser takes. */
  module(): string {
    const lines = [`package ${this.#one(['m', 'a.b', 'a["b c"].d', 'x.if'])}`, ''];
    if (this.#version === 'v0v1') lines.push('import rego.v1', '');
    if (this.#version === 'v0' && this.#chance(40))
      lines.push(`import future.keywords${this.#one(['', '.in', '.if\nimport future.keywords.contains', '.every'])}`);
    if (this.#hasLogic) lines.push('import future.keywords.and', 'import future.keywords.or', 'import future.keywords.not');
    const imports = this.#list(
      this.#below(4),
      () => `import ${this.#one(['data.z', 'data.a.b', 'input.q as r', 'data["x y"] as s', 'input.c'])}`,
    );
    lines.push(...new Set(imports), '');
    const rules = this.#list(1 + this.#below(4), () => this.#rule() + this.#one(['\n', '\n\n', '\n\n\n']));
    return `${lines.join('\n')}\n${rules.join('')}`;
  }

  /** A text with other blanks and comments between its tokens. */
  stirred(text: string, share: number): string {
    const { tokens } = lex(new Source('', text), new Map());
    let result = '';
    let at = 0;
    for (const [i, token] of tokens.entries()) {
      const before = tokens[i - 1];
      const mayStand = before === undefined || canPart(before.tokenType, token, text);
      if (mayStand && this.#below(1000) < share * 1000) {
        const gap = text.slice(at, token.startOffset);
        result += (this.#chance(50) ? gap : gap.trimEnd()) + this.#gap();
      } else result += text.slice(at, token.startOffset);
      result += text.slice(token.startOffset, token.end);
      at = token.end;
    }
    result += text.slice(at);
    if (this.#chance(20)) result += this.#gap();
    return this.#chance(10) ? result.replaceAll('\n', '\r\n') : result;
  }

  #gap(): string {
    const comment = (): string => `#${this.#one([' ', '', '  ', '\t'])}c${this.#comments++}${this.#one(['', '', ' } ]', ' "', '  '])}\n`;
    switch (this.#below(12)) {
      case 0:
      case 1:
        return ' ';
      case 2:
        return '\n';
      case 3:
        return '\n\n';
      case 4:
        return '\n\n\n\t';
      case 5:
      case 6:
        return ` ${comment()}`;
      case 7:
        return `\n${comment()}`;
      case 8:
        return `\n\n  ${comment()}\n`;
      case 9:
        return ` ${comment()}\t${comment()}`;
      case 10:
        return `\n# METADATA\n# title: t${this.#comments++}\n`;
      default:
        return `\n\t${comment()}\n\n${comment()}`;
    }
  }

  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  #chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  #list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make);
  }

  #name(): string {
    return this.#one(['p', 'q', 'r', 'allow']);
  }

  #variable(): string {
    return this.#one(['x', 'y', 'z', '_', 'contains_x', 'k']);
  }

  #rule(): string {
    if (this.#chance(8)) return `default ${this.#name()}${this.#one(['', '.t', '(_)', '(_, x)'])} ${this.#assign()} ${this.#constant(2)}`;
    return this.#version === 'v0' ? this.#oldRule() : this.#newRule();
  }

  #assign(): string {
    return this.#chance(50) ? ':=' : '=';
  }

  #newRule(): string {
    const name = this.#name();
    const value = (): string => `${this.#assign()} ${this.#term(this.#depth)}`;
    switch (this.#below(8)) {
      case 0:
        return `${name} ${value()}`;
      case 1:
        return `${name} contains ${this.#term(this.#depth)}${this.#chance(70) ? ` if ${this.#newBody()}` : ''}`;
      case 2:
        return `${name}(${this.#list(1 + this.#below(3), () => this.#term(1)).join(', ')})${this.#chance(60) ? ` ${value()}` : ''} if ${this.#newBody()}${this.#elses()}`;
      case 3:
        return `${name}${this.#headPath()}${this.#chance(60) ? ` ${value()}` : ''} if ${this.#newBody()}`;
      case 4:
        return `${name}.a.b ${value()}${this.#chance(50) ? ` if ${this.#newBody()}` : ''}`;
      case 5:
        return `${name} if ${this.#braced()}${this.#list(1 + this.#below(2), () => ` ${this.#braced()}`).join('')}`;
      case 6:
        return `${name}${this.#headPath()} contains ${this.#term(1)} if ${this.#newBody()}`;
      default:
        return `${name}${this.#chance(40) ? ` ${value()}` : ''} if ${this.#newBody()}${this.#elses()}`;
    }
  }

  #headPath(): string {
    return this.#list(1 + this.#below(3), () => this.#one(['.a', '["b"]', '["c d"]', `[${this.#term(1)}]`, '[x]', '.if'])).join('');
  }

  #elses(): string {
    if (this.#chance(65)) return '';
    const value = (): string => (this.#chance(60) ? ` ${this.#assign()} ${this.#term(2)}` : '');
    const body = (): string => (this.#version === 'v0' ? this.#braced() : `if ${this.#newBody()}`);
    const list = this.#list(1 + this.#below(2), () => `${this.#one([' ', '\n', '\n\n'])}else${value()} ${body()}`);
    return list.join('') + (this.#chance(30) ? ` else ${this.#assign()} ${this.#term(1)}` : '');
  }

  #oldRule(): string {
    const name = this.#name();
    const value = (): string => `${this.#assign()} ${this.#term(this.#depth)}`;
    switch (this.#below(7)) {
      case 0:
        return `${name} ${value()}`;
      case 1:
        return `${name}[${this.#term(2)}]${this.#chance(70) ? ` ${this.#braced()}` : ''}`;
      case 2:
        return `${name}[${this.#term(1)}] ${value()} ${this.#braced()}`;
      case 3:
        return `${name}(${this.#list(1 + this.#below(3), () => this.#term(1)).join(', ')})${this.#chance(60) ? ` ${value()}` : ''} ${this.#braced()}${this.#elses()}`;
      case 4:
        return `${name}${this.#chance(40) ? `[${this.#term(1)}]` : ''} ${this.#braced()}${this.#list(1 + this.#below(2), () => `${this.#one([' ', '\n'])}${this.#braced()}`).join('')}`;
      case 5:
        return `${name}(x) ${this.#braced()} ${this.#braced()}`;
      default:
        return `${name}${this.#chance(40) ? ` ${value()}` : ''} ${this.#braced()}${this.#elses()}`;
    }
  }

  #newBody(): string {
    return this.#chance(50) ? this.#expr(this.#depth - 1) : this.#braced();
  }

  #braced(depth = this.#depth - 1): string {
    const blank = (): string => this.#one(['', ' ', '\n', '\n\t']);
    return `{${blank()}${this.#body(depth, 4)}${blank()}}`;
  }

  #body(depth: number, most: number): string {
    const separator = (): string => this.#one(['; ', '\n', ';\n', '\n\n']);
    return this.#list(1 + this.#below(most), () => this.#expr(depth) + separator())
      .join('')
      .replace(/[;\s]+$/, '');
  }

  get #knowsIn(): boolean {
    return this.#version !== 'v0';
  }

  #expr(depth: number): string {
    const expr = this.#chance(12) && depth > 0 && this.#hasLogic ? this.#logical(depth) : this.#plainExpr(depth);
    const modifiers = this.#chance(15)
      ? this.#list(
          1 + this.#below(2),
          () => `${this.#one([' ', ' ', '\n'])}with ${this.#one(['input', 'input.a', 'data.b.c', 'count'])} as ${this.#term(2)}`,
        )
      : [];
    return expr + modifiers.join('');
  }

  #logical(depth: number): string {
    const operand = (): string =>
      this.#one([
        () => this.#ref(1),
        () => this.#call(1),
        () => `{ ${this.#body(depth - 1, 2)} }`,
        () => `(${this.#logical(0)})`,
        () => `not ${this.#term(1)}`,
        () => `(${this.#term(1)} with input as 1)`,
      ])();
    return this.#list(2 + this.#below(2), operand).reduce((all, one) => `${all} ${this.#one(['and', 'or'])} ${one}`);
  }

  #plainExpr(depth: number): string {
    switch (this.#below(this.#knowsIn ? 13 : 9)) {
      case 0:
        return `${this.#one([this.#variable(), this.#term(1)])} := ${this.#term(depth + 1)}`;
      case 1:
        return `${this.#term(depth)} = ${this.#term(depth)}`;
      case 2:
        return `not ${this.#term(depth)}`;
      case 3:
        return `some ${this.#list(1 + this.#below(3), () => this.#one(['x', 'y', 'z'])).join(', ')}`;
      case 4:
      case 5:
        return `${this.#term(depth)} ${this.#one(['==', '!=', '<', '>='])} ${this.#term(depth)}`;
      case 6:
        return this.#call(depth);
      case 7:
        return this.#ref(depth);
      case 8:
        return this.#term(depth + 1);
      case 9:
        return `some ${this.#chance(40) ? `${this.#variable()}, ` : ''}${this.#chance(70) ? 'x' : this.#term(1)} in ${this.#term(depth)}`;
      case 10:
        return `every ${this.#chance(40) ? 'k, ' : ''}x in ${this.#term(depth)} ${depth > 0 ? this.#braced(depth - 1) : '{ x }'}`;
      case 11:
        return `${this.#term(1)} in ${this.#term(depth)}`;
      default:
        return `${this.#hasLogic && depth > 0 ? `not { ${this.#body(depth - 1, 2)} }` : `${this.#term(1)}, ${this.#term(0)} in ${this.#term(1)}`}`;
    }
  }

  #constant(depth: number): string {
    if (depth > 0 && this.#chance(40)) {
      const items = (): string => this.#list(this.#below(3), () => this.#constant(depth - 1)).join(', ');
      return this.#one([
        () => `[${items()}]`,
        () => `{"a": ${this.#constant(depth - 1)}}`,
        () => `{${this.#constant(0)}, ${this.#constant(depth - 1)}}`,
      ])();
    }
    return this.#one(['1', '0.5', '-1', '1e3', '"s"', '"t\\n\\"#"', 'true', 'false', 'null', '`raw`', '`r # w\n  "two`', '""']);
  }

  #ref(depth: number): string {
    const head = this.#one(['input', 'data', 'x', 'y', 'data.a', 'lib']);
    const part = (): string =>
      this.#one([
        () => '.a',
        () => '.if',
        () => '["b c"]',
        () => '["not"]',
        () => '[_]',
        () => `[${this.#term(Math.min(depth, 1) - 1)}]`,
        () => '[x]',
      ])();
    return head + this.#list(1 + this.#below(3), part).join('');
  }

  #call(depth: number): string {
    if (this.#chance(5)) return `${this.#one(['plus', 'and', 'or', 'minus', 'equal'])}(${this.#term(depth - 1)}, ${this.#term(0)})`;
    const name = this.#one(['f', 'count', 'data.lib.g', 'startswith', 'internal.x']);
    const after = this.#chance(10) ? this.#one(['.x', '[0]', '.g(1)']) : '';
    return `${name}(${this.#list(1 + this.#below(3), () => this.#term(depth - 1)).join(', ')})${after}`;
  }

  #term(depth: number): string {
    if (depth <= 0)
      return this.#chance(45)
        ? this.#constant(0)
        : this.#one([this.#variable(), this.#variable(), 'input.x', 'data.y[_]', '-x', '[]', '{}', 'set()']);
    const inner = (): string => this.#term(depth - 1);
    const trail = (): string => this.#one(['', '', '', ',']);
    const blank = (): string => this.#one(['', '', '', '\n']);
    switch (this.#below(this.#knowsIn ? 17 : 15)) {
      case 0:
        return `[${blank()}${this.#list(1 + this.#below(3), inner).join(`,${blank()} `)}${trail()}${blank()}]`;
      case 1:
        return `{${blank()}${this.#list(1 + this.#below(3), inner).join(`,${blank()} `)}${trail()}${blank()}}`;
      case 2:
        return `{${blank()}${this.#list(1 + this.#below(3), () => `${inner()}: ${inner()}`).join(`,${blank()} `)}${trail()}${blank()}}`;
      case 3:
        return `[${inner()} | ${this.#body(depth - 1, 2)}]`;
      case 4:
        return `{${inner()} | ${this.#body(depth - 1, 2)}}`;
      case 5:
        return `{${inner()}: ${inner()} | ${this.#body(depth - 1, 2)}}`;
      case 6:
      case 7:
        return this.#call(depth);
      case 8:
        return this.#ref(depth);
      case 9:
      case 10:
        return `${inner()} ${this.#one(['+', '-', '*', '/', '%', '&', '|', '==', '<'])} ${inner()}`;
      case 11:
        return `(${inner()} ${this.#one(['+', '-', '*', '|', '&', '==', '>'])} ${inner()})`;
      case 12:
        return this.#chance(50) ? `(${inner()})` : `[${inner()}][0]`;
      case 13:
        return this.#template(depth);
      case 14:
        return this.#constant(2);
      case 15:
        return `(${inner()} in ${inner()})`;
      default:
        return `[${inner()} in ${inner()}, (1, ${inner()} in ${inner()})]`;
    }
  }

  #template(depth: number): string {
    const part = (): string =>
      this.#one([
        () => 'text ',
        () => ' \\{ ',
        () => `{${this.#term(depth - 1)}}`,
        () => `{ ${this.#ref(1)} }`,
        () => '{f(x) with input as 1}',
      ])();
    const parts = this.#list(this.#below(4), part).join('');
    return this.#chance(50) && !parts.includes('`')
      ? `$\`${parts}${this.#one(['', '\n  # no comment '])}\``
      : `$"${parts.includes('\n') ? 'x' : parts}"`;
  }
}

/**
 * Whether blanks may come before a token: not between a ref's parts, and not in a template's text.
 */
function canPart(
  before: { tokenTypeIdx?: number | undefined },
  token: { tokenType: unknown; spaceBefore: boolean; startOffset: number },
  text: string,
): boolean {
  if (before === Dot) return false;
  if (token.tokenType === TemplatePart || token.tokenType === TemplateEnd) return text[token.startOffset] === '$';
  if (token.spaceBefore) return true;
  if (token.tokenType === Dot) return false;
  const last = text[token.startOffset - 1] ?? '';
  return !((token.tokenType === LeftBracket || token.tokenType === LeftParen) && /[\w"`)\]}]/.test(last));
}
