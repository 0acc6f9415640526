/** The values of HCL2's expressions: literals as they are, others as texts. */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import type { Marks } from '../marks.js';
import type { HclItem, HclNode, HclRange } from './hcl-node.js';

export class HclConversion {
  readonly #text: string;
  readonly #marks: Marks | undefined;

  constructor(text: string, marks: Marks | undefined) {
    this.#text = text;
    this.#marks = marks;
  }

  value(node: HclNode): Value {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'wrap':
        return this.value(node.inner);
      case 'template':
        return this.#template(node.parts);
      case 'tuple': {
        const values = node.items.map((item) => this.value(item));
        for (const [i, { start, end }] of node.items.entries()) this.#marks?.at(values, i, start, end);
        return values;
      }
      case 'object':
        return this.#object(node.items);
      case 'unary':
        return this.#unary(node);
      default:
        return this.#wrapped(node);
    }
  }

  #source({ start, end }: HclRange): string {
    return this.#text.slice(start, end);
  }

  #wrapped(node: HclRange): string {
    return `\${${this.#source(node)}}`;
  }

  #object(items: readonly HclItem[]): PlainObject {
    const object: PlainObject = {};
    for (const { key, value, start, end } of items) {
      const name = key.kind === 'name' ? this.#source(key) : this.#part(key);
      setOwn(object, name, this.value(value));
      this.#marks?.at(object, name, start, end);
    }
    return object;
  }

  #unary(node: Extract<HclNode, { kind: 'unary' }>): Value {
    const { operator, operand } = node;
    if (operand.kind !== 'literal') return this.#wrapped(node);
    if (operator === '-') return typeof operand.value === 'number' ? -operand.value : this.#wrapped(node);
    return typeof operand.value === 'boolean' ? !operand.value : this.#wrapped(node);
  }

  #template(parts: Extract<HclNode, { kind: 'template' }>['parts']): string {
    return parts.map((part) => (typeof part === 'string' ? part : this.#part(part))).join('');
  }

  /** An expression inside of a text. */
  #part(node: HclNode): string {
    switch (node.kind) {
      case 'literal':
        return String(node.value);
      case 'template':
        return this.#template(node.parts);
      case 'wrap':
        return this.#part(node.inner);
      case 'conditional':
        return this.#conditional(node);
      case 'loop':
        return `%{for ${node.names} in ${this.#source(node.collection)}}${this.#part(node.body)}%{endfor}`;
      default:
        return this.#wrapped(node);
    }
  }

  #conditional({ condition, yes, no }: Extract<HclNode, { kind: 'conditional' }>): string {
    const otherwise = this.#part(no);
    const middle = otherwise === '' ? '' : `%{else}${otherwise}`;
    return `%{if ${this.#source(condition)}}${this.#part(yes)}${middle}%{endif}`;
  }
}
