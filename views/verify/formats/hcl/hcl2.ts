/**
 * HCL2 (Terraform): blocks are lists below their labels. Expressions that need an evaluation are
 * texts in `${…}`.
 */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import type { Format } from '../format.js';
import type { Marks } from '../marks.js';
import { HclConversion } from './hcl-conversion.js';
import { identifier } from './hcl-node.js';
import { HclReader } from './hcl-reader.js';

export const hcl2: Format = {
  parse(text, _context, marks) {
    return new Bodies(text.replace(/^\ufeff/, ' '), marks).body(undefined);
  },
};

const deepest = 200;

class Bodies {
  readonly #reader: HclReader;
  readonly #conversion: HclConversion;
  readonly #marks: Marks | undefined;
  #depth = 0;

  constructor(text: string, marks: Marks | undefined) {
    this.#reader = new HclReader(text);
    this.#conversion = new HclConversion(text, marks);
    this.#marks = marks;
  }

  /** The body of a file, or of a block whose opening brace is at a place. */
  body(open: number | undefined): PlainObject {
    const reader = this.#reader;
    if (++this.#depth > deepest) throw reader.error('blocks nest too deeply');
    const body: PlainObject = {};
    const attributes = new Map<string, Value>();
    for (;;) {
      reader.skip(true);
      if (open !== undefined && reader.take('}')) break;
      if (reader.at >= reader.text.length) {
        if (open === undefined) break;
        throw reader.error(
          'Unclosed configuration block; There is no closing brace for this block before the end of the file.',
          open,
        );
      }
      this.#member(body, attributes);
    }
    for (const [name, value] of attributes) setOwn(body, name, value);
    this.#depth--;
    return body;
  }

  #member(body: PlainObject, attributes: Map<string, Value>): void {
    const reader = this.#reader;
    const start = reader.at;
    const name = reader.match(identifier);
    if (name === undefined)
      throw reader.error('Argument or block definition required; An argument or block definition is required here.');
    reader.skip();
    if (reader.text[reader.at] === '=' && reader.text[reader.at + 1] !== '=') {
      reader.at++;
      const node = reader.expression();
      if (attributes.has(name))
        throw reader.error(`Attribute redefined; The argument ${JSON.stringify(name)} was already set.`, start);
      attributes.set(name, this.#conversion.value(node));
      this.#marks?.at(body, name, start, node.end);
      this.#endOfArgument();
    } else this.#block(body, name, start);
  }

  #endOfArgument(): void {
    const reader = this.#reader;
    reader.skip();
    const next = reader.text[reader.at];
    if (next === undefined || next === '\n' || next === '}') return;
    // A here-document ends with its line.
    if (reader.text[reader.at - 1] === '\n') return;
    throw reader.error('Missing newline after argument; An argument definition must end with a newline.');
  }

  #block(body: PlainObject, type: string, start: number): void {
    const reader = this.#reader;
    const labels: string[] = [];
    for (;;) {
      reader.skip();
      if (reader.text[reader.at] === '{') break;
      const label = reader.match(/"(?:[^"\\\n]|\\.)*"/y)?.slice(1, -1) ?? reader.match(identifier);
      if (label === undefined)
        throw reader.error(
          `Invalid block definition; Either a quoted string block label or an opening brace ("{") is expected here.`,
        );
      labels.push(label.replace(/\\(["\\])/g, '$1'));
    }
    const open = reader.at++;
    const value = this.body(open);
    const end = reader.at;
    let holder = body;
    let key = type;
    for (const label of labels) {
      holder = this.#below(holder, key, start, end);
      key = label;
    }
    this.#append(holder, key, value, start, end);
  }

  #below(holder: PlainObject, key: string, start: number, end: number): PlainObject {
    if (!Object.hasOwn(holder, key)) {
      setOwn<Value>(holder, key, {});
      this.#marks?.at(holder, key, start, end);
    }
    const inner = holder[key];
    if (Array.isArray(inner) || typeof inner !== 'object') throw this.#conflict(key, start);
    return inner as PlainObject;
  }

  #append(holder: PlainObject, key: string, value: PlainObject, start: number, end: number): void {
    if (!Object.hasOwn(holder, key)) {
      setOwn<Value>(holder, key, []);
      this.#marks?.at(holder, key, start, end);
    }
    const blocks = holder[key];
    if (!Array.isArray(blocks)) throw this.#conflict(key, start);
    this.#marks?.at(blocks, blocks.length, start, end);
    blocks.push(value);
  }

  #conflict(key: string, start: number): Error {
    return this.#reader.error(`Unable to convert Block to JSON: ${key} has blocks with labels and without`, start);
  }
}
