/** Events as the API shows them to programs. */
import type { AstJson, Body, Expr, Rule, RuleHead, Source, Term } from '../../../../compiler/index.js';
import {
  bodyToJson,
  exprToJson,
  mapExprChildren,
  mapList,
  mapTermChildren,
  ruleToJson,
  varTerm,
} from '../../../../compiler/index.js';
import { ByteChunks, type Steps, toJson, type Value } from '../../../../values/index.js';
import type { TracedNode, TraceOp } from '../../tracer.js';
import type { TracedLocals } from './locals.js';
import { endOfTrace, type RecordedEvent } from './recorder.js';
import { TraceTermWriter } from './term-writer.js';
import type { VariableNames } from './variable-names.js';

type Rename = ((name: string) => string) | undefined;

const encoder = new TextEncoder();

/** The beginnings of events. */
const heads = new Map<TraceOp, Uint8Array>();

function headOf(op: TraceOp): Uint8Array {
  let head = heads.get(op);
  if (head === undefined) heads.set(op, (head = encoder.encode(`{"op":"${op}","query_id":`)));
  return head;
}

const parentId = encoder.encode(',"parent_id":');
const noNode = encoder.encode(',"type":"","node":null');
const listOfLocals = encoder.encode(',"locals":[');

/** The texts of nodes whose variables have the names of their module. */
const asCompiled = new WeakMap<object, Uint8Array>();

/** Some microseconds. */
const eventsPerStep = 16;
const bytesPerStep = 64 * 1024;

/** The most bytes of a trace: more takes too long and is too much to read. */
const mostBytes = 128 * 1024 * 1024;

export interface TraceTextOptions {
  /** Called with bytes of memory before their allocation; it may throw. */
  readonly take?: ((bytes: number) => void) | undefined;
  /** A longer trace is cut, and ends with a note. */
  readonly maxBytes?: number;
  /**
   * Whether events have `location`, and `names`: the names that the author gave to variables which
   * the compiler has renamed.
   */
  readonly withPlaces?: boolean;
}

/**
 * The bytes of an array of events, in parts. Nodes, values and bindings stand in many events: the
 * text of each is made once.
 */
export function* writeEvents(
  events: readonly RecordedEvent[],
  names: VariableNames,
  { take, maxBytes = mostBytes, withPlaces = false }: TraceTextOptions = {},
): Steps<readonly Uint8Array[]> {
  const out = new ByteChunks(take);
  const writer = new EventWriter(out, names, withPlaces);
  out.text('[');
  let paused = 0;
  for (const [i, event] of events.entries()) {
    const before = out.length;
    if (i > 0) out.text(',');
    writer.begin(event);
    if (!writer.writeKnownLocals(event)) yield* writer.writeLocals(event, maxBytes);
    writer.end(event);
    if (out.length > maxBytes) {
      out.cutTo(before);
      if (i > 0) out.text(',');
      const end = endOfTrace(event, i);
      writer.begin(end);
      if (!writer.writeKnownLocals(end)) yield* writer.writeLocals(end, Number.POSITIVE_INFINITY);
      writer.end(end);
      break;
    }
    if (i % eventsPerStep > 0 && out.length - paused < bytesPerStep) continue;
    paused = out.length;
    yield;
  }
  out.text(']');
  return out.parts();
}

/** The texts of parts of events in one source: names of variables differ by source. */
interface SourceTexts {
  readonly rename: Rename;
  readonly nodes: Map<object, Uint8Array> | WeakMap<object, Uint8Array>;
  /** Keys by name of the variable. */
  readonly keys: Map<string, Uint8Array>;
  readonly locals: Map<TracedLocals, Uint8Array>;
}

class EventWriter {
  readonly #out: ByteChunks;
  readonly #values: TraceTermWriter;
  readonly #names: VariableNames;
  readonly #withPlaces: boolean;
  readonly #texts = new Map<Source, SourceTexts>();
  /** The texts of the event's source. */
  #source!: SourceTexts;

  constructor(out: ByteChunks, names: VariableNames, withPlaces: boolean) {
    this.#withPlaces = withPlaces;
    this.#out = out;
    this.#values = new TraceTermWriter(out);
    this.#names = names;
  }

  /** An event up to its bindings. */
  begin({ op, query, node, at: { source } }: RecordedEvent): void {
    this.#source = this.#textsOf(source);
    const out = this.#out;
    out.bytes(headOf(op));
    out.text(`${query.id}`);
    out.bytes(parentId);
    out.text(`${query.parent}`);
    out.bytes(node === undefined ? noNode : this.#node(node));
  }

  writeKnownLocals({ locals }: RecordedEvent): boolean {
    const known = this.#source.locals.get(locals);
    if (known !== undefined) this.#out.bytes(known);
    return known !== undefined;
  }

  /** @param maxBytes nothing more is written beyond */
  *writeLocals({ locals }: RecordedEvent, maxBytes: number): Steps {
    const out = this.#out;
    const start = out.length;
    out.bytes(listOfLocals);
    for (let i = 0; i < locals.names.length; i++) {
      if (i > 0) out.text('},');
      out.bytes(this.#key(locals.names[i]!));
      const value = locals.values[i]!;
      if (this.#values.writeKnown(value)) continue;
      for (const _ of this.#values.write(value)) {
        if (out.length > maxBytes) return;
        yield;
      }
    }
    out.text(locals.names.length > 0 ? '}]' : ']');
    const text = out.since(start);
    if (text !== undefined) this.#source.locals.set(locals, text);
  }

  end(event: RecordedEvent): void {
    const { message } = event;
    if (this.#withPlaces) this.#writePlaces(event);
    this.#out.text(message === undefined ? '}' : `,"message":${JSON.stringify(message)}}`);
  }

  #writePlaces({ at, locals }: RecordedEvent): void {
    const { source, start } = at;
    const { row, col } = source.position(start);
    this.#out.text(`,"location":${JSON.stringify({ file: source.file, row, col })}`);
    const written = this.#names.writtenIn(source);
    const unique = this.#source.rename;
    const renamed = locals.names
      .map((name) => [unique?.(name) ?? name, written(name)] as const)
      .filter(([name, given]) => name !== given);
    this.#out.text(`,"names":${JSON.stringify(Object.fromEntries(renamed))}`);
  }

  #textsOf(source: Source): SourceTexts {
    const known = this.#texts.get(source);
    if (known !== undefined) return known;
    const rename = this.#names.uniqueIn(source);
    const texts = {
      rename,
      nodes: rename === undefined ? asCompiled : new Map<object, Uint8Array>(),
      keys: new Map(),
      locals: new Map(),
    };
    this.#texts.set(source, texts);
    return texts;
  }

  #node(node: TracedNode): Uint8Array {
    const { nodes, rename } = this.#source;
    const tree = node.type === 'expr' ? node.expr : node.type === 'body' ? node.body : node.rule;
    let text = nodes.get(tree);
    if (text === undefined) {
      text = encoder.encode(`,"type":"${node.type}","node":${toJson(nodeToJson(node, rename) as Value)}`);
      nodes.set(tree, text);
    }
    return text;
  }

  #key(name: string): Uint8Array {
    const { keys, rename } = this.#source;
    let text = keys.get(name);
    if (text === undefined) {
      text = encoder.encode(`{"key":{"type":"var","value":"${rename?.(name) ?? name}"},"value":`);
      keys.set(name, text);
    }
    return text;
  }
}

function nodeToJson(node: TracedNode, rename: Rename): AstJson {
  const renamed = rename && new Renaming(rename);
  switch (node.type) {
    case 'expr':
      return exprToJson(renamed?.expr(node.expr) ?? node.expr, node.index);
    case 'body':
      return bodyToJson(renamed?.body(node.body) ?? node.body);
    case 'rule':
      return ruleToJson(renamed?.rule(node.rule) ?? node.rule);
  }
}

/** Variables renamed in compiled rules and bodies. */
class Renaming {
  readonly #rename: (name: string) => string;
  readonly #children = { term: (term: Term) => this.term(term), body: (body: Body) => this.body(body) };

  constructor(rename: (name: string) => string) {
    this.#rename = rename;
  }

  /** The rule with its `else` chain. */
  rule(rule: Rule): Rule {
    return {
      ...rule,
      head: this.#head(rule.head),
      body: this.body(rule.body),
      else: rule.else && this.rule(rule.else),
    };
  }

  body(body: Body): Body {
    return body.map((expr) => this.expr(expr));
  }

  expr(expr: Expr): Expr {
    return mapExprChildren(expr, this.#children);
  }

  term(term: Term): Term {
    return term.type === 'var' ? varTerm(term.loc, this.#rename(term.name)) : mapTermChildren(term, this.#children);
  }

  #head(head: RuleHead): RuleHead {
    const { ref, args, key, value } = head;
    const all = (terms: readonly Term[]) => terms.map((term) => this.term(term));
    return {
      ...head,
      ref: mapList(ref, (term) => this.term(term)),
      args: args && all(args),
      key: key && this.term(key),
      value: value && this.term(value),
    };
  }
}
