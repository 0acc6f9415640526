/** The debug information of an optimized bundle → where parts of its generated texts come from. */
import type { DebugInfo, DebugRange } from '../../ir-schema/index.js';
import type { Module, Node } from '../ast/nodes.js';
import { type AuthorVariable, type Origins, type ReplacedVariable, termKey } from '../ast/origins.js';
import { walk } from '../ast/walk.js';
import { nowhere, Span } from '../source/location.js';
import type { Source } from '../source/source.js';
import { parseModule } from '../syntax/parse.js';

const nothing: readonly never[] = [];

/**
 * For each generated module that a query is planned over, where its parts come from; undefined
 * where a text of an author is not read as one of the newer version of the language.
 * @param info of the plan that the bundle has
 * @param authors the authors' texts, by the names that the debug information has
 * @param generated the generated modules, by the same names
 */
export function recordedOrigins(
  info: DebugInfo,
  authors: ReadonlyMap<string, string>,
  generated: ReadonlyMap<string, Module>,
): ReadonlyMap<Source, Origins> | undefined {
  const modules = parsedTexts(authors);
  if (modules === undefined) return undefined;
  const found = new Map<Source, Origins>();
  info.sources.forEach(({ file, generated: isGenerated }, index) => {
    const module = isGenerated === true ? generated.get(file) : undefined;
    if (module !== undefined) found.set(module.source, new RecordedOrigins(info, index, module, modules));
  });
  return found;
}

function parsedTexts(texts: ReadonlyMap<string, string>): ReadonlyMap<string, Module> | undefined {
  try {
    return new Map([...texts].map(([file, text]) => [file, parseModule(file, text)]));
  } catch {
    return undefined;
  }
}

class RecordedOrigins implements Origins {
  readonly modules: readonly Module[];
  readonly #origins = new Map<string, Span>();
  readonly #variables = new Map<string, AuthorVariable[]>();
  readonly #replaced = new Map<string, ReplacedVariable[]>();
  readonly #replacedAt = new Map<string, readonly ReplacedVariable[]>();

  constructor(info: DebugInfo, index: number, written: Module, authors: ReadonlyMap<string, Module>) {
    this.modules = [...authors.values()];
    const spanIn = (source: number, range: DebugRange): Span | undefined => {
      const module = authors.get(info.sources[source]!.file);
      return module && spanOf(module.source, range);
    };
    const placeOf = (expression: number): Span | undefined => {
      const found = info.expressions[expression];
      if (found === undefined) return undefined;
      const [source, , , , ...range] = found;
      return spanIn(source, range.slice(0, 4) as unknown as DebugRange);
    };
    for (const [source, , , , row, col, endRow, endCol, origin] of info.expressions) {
      const span = source === index ? placeOf(origin) : undefined;
      if (span !== undefined) this.#origins.set([row, col, endRow, endCol].join(), span);
    }
    for (const [source, variable, name, rule] of info.variables ?? []) {
      const author = info.rules[rule]!;
      const span = source === index ? spanIn(author.source, author.range) : undefined;
      if (span === undefined) continue;
      this.#variables.set(variable, [...(this.#variables.get(variable) ?? []), { name, rule: span }]);
    }
    for (const [source, term, name, expression] of info.replaced ?? []) {
      if (source !== index) continue;
      const place = placeOf(expression) ?? nowhere;
      this.#replaced.set(term, [...(this.#replaced.get(term) ?? []), { name, place }]);
    }
    for (const rule of written.rules) walk(rule, (node) => this.#noteReplaced(node));
  }

  originOf(span: Span): Span | undefined {
    const end = span.endPosition;
    return this.#origins.get([span.row, span.col, end.row, end.col].join());
  }

  authorsOf(variable: string): readonly AuthorVariable[] {
    return this.#variables.get(variable) ?? nothing;
  }

  replacedBy(key: string): readonly ReplacedVariable[] {
    return this.#replaced.get(key) ?? nothing;
  }

  replacedAt({ start, end }: Span): readonly ReplacedVariable[] {
    return this.#replacedAt.get(`${start}:${end}`) ?? nothing;
  }

  #noteReplaced(node: Node): void {
    if (node.type !== 'call' && node.type !== 'ref') return;
    const replaced = this.replacedBy(termKey(node));
    if (replaced.length > 0) this.#replacedAt.set(`${node.loc.start}:${node.loc.end}`, replaced);
  }
}

function spanOf(source: Source, [row, col, endRow, endCol]: DebugRange): Span {
  return new Span(source, offsetOf(source, row, col), offsetOf(source, endRow, endCol));
}

/** The offset of a row and a column of code points. */
function offsetOf({ text, lineStarts }: Source, row: number, col: number): number {
  let offset = lineStarts[row - 1] ?? text.length;
  for (let left = col - 1; left > 0 && offset < text.length; left--)
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}
