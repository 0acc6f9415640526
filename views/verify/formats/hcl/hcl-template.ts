/** Templates of HCL2: texts in quotes and here-documents, with what is interpolated. */
import { type HclNode, type HclTemplatePart, identifier, type TemplateReader } from './hcl-node.js';
import { characterOf } from './hcl1-texts.js';

export type TemplateForm = 'quoted' | 'heredoc' | 'flush';

/** Reads up to the end of a template, where the reader then stands. Throws a FormatError. */
export function readTemplate(
  reader: TemplateReader,
  form: TemplateForm,
  isEnd: () => boolean,
): readonly HclTemplatePart[] {
  const parts = new Parts();
  sequence(reader, form, isEnd, parts, []);
  return form === 'flush' ? flushed(parts.list) : parts.list;
}

class Parts {
  readonly list: HclTemplatePart[] = [];
  #trimsNext = false;

  text(text: string): void {
    const content = this.#trimsNext ? text.trimStart() : text;
    if (content === '') return;
    this.#trimsNext = false;
    const last = this.list.at(-1);
    if (typeof last === 'string') this.list[this.list.length - 1] = last + content;
    else this.list.push(content);
  }

  trimBefore(): void {
    const last = this.list.at(-1);
    if (typeof last === 'string') this.list[this.list.length - 1] = last.trimEnd();
  }

  trimAfter(): void {
    this.#trimsNext = true;
  }

  add(node: HclNode): void {
    this.list.push(node);
  }
}

/** Reads up to one of some directives, which it answers, or to the end. */
function sequence(
  reader: TemplateReader,
  form: TemplateForm,
  isEnd: () => boolean,
  parts: Parts,
  until: readonly string[],
): string | undefined {
  return reader.nested(() => sequenceHere(reader, form, isEnd, parts, until));
}

function sequenceHere(
  reader: TemplateReader,
  form: TemplateForm,
  isEnd: () => boolean,
  parts: Parts,
  until: readonly string[],
): string | undefined {
  for (;;) {
    if (isEnd()) {
      if (until.length > 0) throw reader.error(`expected %{ ${until.at(-1)} } before the end of the template`);
      return undefined;
    }
    if (reader.at >= reader.text.length || (form === 'quoted' && reader.text[reader.at] === '\n'))
      throw reader.error('a template does not end: expected its closing mark');
    const escaped = reader.match(/\$\$\{|%%\{/y);
    if (escaped !== undefined) parts.text(escaped.slice(1));
    else if (reader.text.startsWith('${', reader.at)) interpolation(reader, parts);
    else if (reader.text.startsWith('%{', reader.at)) {
      const ended = directive(reader, form, isEnd, parts, until);
      if (ended !== undefined) return ended;
    } else parts.text(literal(reader, form));
  }
}

function interpolation(reader: TemplateReader, parts: Parts): void {
  reader.at += 2;
  if (reader.match(/~/y) !== undefined) parts.trimBefore();
  const node = reader.within(() => reader.expression());
  close(reader, parts);
  parts.add(node);
}

function close(reader: TemplateReader, parts: Parts): void {
  reader.within(() => reader.skip());
  if (reader.match(/~/y) !== undefined) parts.trimAfter();
  if (reader.match(/\}/y) === undefined) throw reader.error("expected '}' behind an interpolation");
}

function directive(
  reader: TemplateReader,
  form: TemplateForm,
  isEnd: () => boolean,
  parts: Parts,
  until: readonly string[],
): string | undefined {
  const start = reader.at;
  reader.at += 2;
  if (reader.match(/~/y) !== undefined) parts.trimBefore();
  reader.within(() => reader.skip());
  const name = reader.match(identifier) ?? '';
  if (until.includes(name)) {
    close(reader, parts);
    return name;
  }
  if (name === 'if') parts.add(conditional(reader, form, isEnd, start));
  else if (name === 'for') parts.add(loop(reader, form, isEnd, start));
  else throw reader.error(`expected if or for in a directive, found ${JSON.stringify(name)}`, start);
  return undefined;
}

function conditional(reader: TemplateReader, form: TemplateForm, isEnd: () => boolean, start: number): HclNode {
  const condition = reader.within(() => reader.expression());
  const [yes, no] = [new Parts(), new Parts()];
  close(reader, yes);
  const middle = reader.at;
  const ended = sequence(reader, form, isEnd, yes, ['else', 'endif']);
  if (ended === 'else') sequence(reader, form, isEnd, no, ['endif']);
  const node = (list: readonly HclTemplatePart[]): HclNode => ({
    kind: 'template',
    parts: list,
    start: middle,
    end: reader.at,
  });
  const made = {
    kind: 'conditional',
    condition,
    yes: node(yes.list),
    no: node(no.list),
    start,
    end: reader.at,
  } as const;
  return { kind: 'template', parts: [made], start, end: reader.at };
}

function loop(reader: TemplateReader, form: TemplateForm, isEnd: () => boolean, start: number): HclNode {
  const names = reader.within(() => {
    reader.skip();
    const first = reader.match(identifier) ?? '';
    if (!reader.take(',')) return first;
    reader.skip();
    return `${first}, ${reader.match(identifier) ?? ''}`;
  });
  const collection = reader.within(() => {
    reader.expect('in', 'in a for directive');
    return reader.expression();
  });
  const body = new Parts();
  close(reader, body);
  const middle = reader.at;
  sequence(reader, form, isEnd, body, ['endfor']);
  const inner: HclNode = { kind: 'template', parts: body.list, start: middle, end: reader.at };
  return { kind: 'loop', names, collection, body: inner, start, end: reader.at };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** A piece of text; in here-documents a line at most, so that their end is seen. */
function literal(reader: TemplateReader, form: TemplateForm): string {
  if (form !== 'quoted') return (reader.match(/[$%](?!\{)|[^$%\n]+\n?|\n/y) ?? '').replace('\r\n', '\n');
  const character = reader.match(/\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/y);
  if (character === undefined) return reader.match(/[$%](?!\{)|[^$%\\"\n]+/y) ?? '';
  if (character.length > 2) return characterOf(Number.parseInt(character.slice(2), 16));
  const char = escapes[character[1]!];
  if (char === undefined) throw reader.error(`${JSON.stringify(character)} is no character sequence`, reader.at - 2);
  return char;
}

/** Takes away the indentation that all lines have. */
function flushed(parts: readonly HclTemplatePart[]): readonly HclTemplatePart[] {
  let least = Number.POSITIVE_INFINITY;
  const startsLine = (i: number, offset: number, text: string) =>
    offset === 0 ? i === 0 || endsLine(parts[i - 1]!) : text[offset - 1] === '\n';
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'string') {
      if (i === 0 || endsLine(parts[i - 1]!)) least = 0;
      continue;
    }
    for (const { 0: line, index } of part.matchAll(/[^\n]+\n?|\n/g))
      if (startsLine(i, index, part) && line.trim() !== '') least = Math.min(least, /^[ \t]*/.exec(line)![0].length);
  }
  if (!Number.isFinite(least) || least === 0) return parts;
  const indentation = new RegExp(`^[ \\t]{1,${least}}`, 'gm');
  return parts.map((part, i) => {
    if (typeof part !== 'string') return part;
    return part.replace(indentation, (found, offset: number) => (startsLine(i, offset, part) ? '' : found));
  });
}

function endsLine(part: HclTemplatePart): boolean {
  return typeof part === 'string' && part.endsWith('\n');
}
