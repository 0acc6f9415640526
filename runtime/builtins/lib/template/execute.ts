/** Templates as they run: nodes write text, pipelines give values. */
import { checkTextLength } from '../../../values/memory.js';
import { goQuote } from '../../../values/text/term-text.js';
import type { ObjectValue } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import type { BuiltinError } from '../../errors.js';
import { goText } from '../go/format.js';
import { GoInt, type GoValue, isMap } from '../go/values.js';
import { isTrue, type Maybe, TemplateFunctionError, templateFunctions, WrongTypeError } from './functions.js';
import { concrete, type Dot, elementsOf, fieldOf } from './members.js';
import type { Command, Node, Operand, Pipe } from './nodes.js';
import type { Templates } from './parser.js';
import { executionError, mainName, unitsPerNode } from './place.js';
import { commandText, headText, operandText, shownFields, templateText } from './source-text.js';

const maxTemplateDepth = 1000;

/**
 * A variable's value, and whether Go knows its type or only that it is something (`interface {}`).
 */
interface Slot {
  readonly name: string;
  value: Maybe;
}

type Jump = 'break' | 'continue' | undefined;

export class Executor {
  readonly #source: string;
  readonly #templates: Templates;
  readonly #context: BuiltinContext;
  #name = mainName;
  #slots: Slot[] = [];
  #depth = 0;
  #out: string[] = [];
  #size = 0;

  constructor(source: string, templates: Templates, context: BuiltinContext) {
    this.#source = source;
    this.#templates = templates;
    this.#context = context;
  }

  run(variables: ObjectValue): string {
    this.#slots = [{ name: '$', value: variables }];
    this.#nodes(this.#templates.get(mainName) ?? [], { value: variables, type: 'map[string]interface {}' });
    return this.#out.join('');
  }

  #write(text: string): void {
    this.#out.push(text);
    this.#size += text.length;
    checkTextLength(this.#size);
  }

  #fail(at: number, what: string, message: string): BuiltinError {
    return executionError(this.#source, this.#name, at, what, message);
  }

  /** Go points at the last operand it evaluated. */
  #failAtEnd(pipe: Pipe, message: string): BuiltinError {
    const last = pipe.commands.at(-1)!.operands.at(-1)!;
    return this.#fail(last.at, operandText(last), message);
  }

  #nodes(nodes: readonly Node[], dot: Dot): Jump {
    for (const node of nodes) {
      this.#context.tick(unitsPerNode);
      const jump = this.#node(node, dot);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: Node, dot: Dot): Jump {
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'action': {
        const value = this.#pipe(node.pipe, dot);
        if (node.pipe.variables.length === 0) this.#write(value === undefined || value === null ? '<no value>' : goText(value));
        return undefined;
      }
      case 'if':
      case 'with':
        return this.#branch(node, dot);
      case 'range':
        return this.#scoped(() => this.#range(node, dot));
      case 'template':
        this.#template(node, dot);
        return undefined;
      default:
        return node.kind;
    }
  }

  /** Variables made inside are gone afterwards. */
  #scoped<T>(run: () => T): T {
    const size = this.#slots.length;
    const result = run();
    this.#slots.length = size;
    return result;
  }

  #branch(node: Node & { kind: 'if' | 'with' | 'range' }, dot: Dot): Jump {
    return this.#scoped(() => {
      const value = this.#pipe(node.pipe, dot);
      if (!isTrue(value)) return this.#nodes(node.otherwise, dot);
      return this.#nodes(node.body, node.kind === 'with' ? concrete(value) : dot);
    });
  }

  #range(node: Node & { kind: 'if' | 'with' | 'range' }, dot: Dot): Jump {
    const value = this.#pipe(node.pipe, dot, true);
    const { variables } = node.pipe;
    if (value instanceof GoInt && variables.length > 1) {
      throw this.#failAtEnd(node.pipe, `can't use ${value.value} to iterate over more than one variable`);
    }
    let any = false;
    for (const [key, element, type] of elementsOf(value, (message) => this.#failAtEnd(node.pipe, message))) {
      any = true;
      this.#context.tick(unitsPerNode);
      const jump = this.#scoped(() => {
        this.#bindRange(node.pipe, key, element);
        return this.#nodes(node.body, { value: element, type });
      });
      if (jump === 'break') break;
    }
    return any ? undefined : this.#nodes(node.otherwise, dot);
  }

  #bindRange(pipe: Pipe, key: GoValue, element: Maybe): void {
    const { variables, assigns } = pipe;
    const values = variables.length > 1 ? [key, element] : [element];
    variables.forEach((name, i) => {
      if (assigns) this.#assign(pipe, name, values[i]);
      else this.#slots.push({ name, value: values[i] });
    });
  }

  #template(node: Node & { kind: 'template' }, dot: Dot): void {
    const nodes = this.#templates.get(node.name);
    if (nodes === undefined) throw this.#fail(node.at, templateText(node), `template ${goQuote(node.name)} not defined`);
    if (this.#depth >= maxTemplateDepth) {
      throw this.#fail(node.at, templateText(node), `exceeded maximum template depth (${maxTemplateDepth})`);
    }
    const value = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot);
    const slots = this.#slots;
    const name = this.#name;
    this.#slots = [{ name: '$', value }];
    this.#name = node.name;
    this.#depth++;
    this.#nodes(nodes, concrete(value));
    this.#depth--;
    this.#slots = slots;
    this.#name = name;
  }

  #pipe(pipe: Pipe, dot: Dot, forRange = false): Maybe {
    let value: Maybe;
    pipe.commands.forEach((command, i) => {
      value = this.#command(command, dot, i > 0, value);
      // A nil that came out of a map is nothing from here on.
      if (value === null) value = undefined;
    });
    if (forRange) return value;
    for (const name of pipe.variables) {
      if (pipe.assigns) this.#assign(pipe, name, value);
      else this.#slots.push({ name, value });
    }
    return value;
  }

  #assign(pipe: Pipe, name: string, value: Maybe): void {
    const slot = this.#slots.findLast((candidate) => candidate.name === name);
    if (slot === undefined) throw this.#failAtEnd(pipe, `undefined variable: ${name}`);
    slot.value = value;
  }

  #command({ operands }: Command, dot: Dot, hasFinal: boolean, final: Maybe): Maybe {
    const first = operands[0]!;
    if (first.kind === 'function') return this.#call(first, operands, dot, hasFinal, final);
    const hasArgs = operands.length > 1 || hasFinal;
    switch (first.kind) {
      case 'fields':
      case 'chain':
        return this.#operand(first, dot, hasArgs);
      case 'variable':
        if (first.names.length === 0 && hasArgs) throw this.#notFunction(first);
        return this.#operand(first, dot, hasArgs);
      default:
        if (hasArgs) throw this.#notFunction(first);
        if (first.kind === 'nil') throw this.#fail(first.at, 'nil', 'nil is not a command');
        return this.#operand(first, dot, false);
    }
  }

  #notFunction(operand: Operand): BuiltinError {
    return this.#fail(operand.at, operandText(operand), `can't give argument to non-function ${operandText(operand)}`);
  }

  #call(name: Operand & { kind: 'function' }, operands: readonly Operand[], dot: Dot, hasFinal: boolean, final: Maybe): Maybe {
    const fn = templateFunctions.get(name.name)!;
    const count = operands.length - 1 + (hasFinal ? 1 : 0);
    const fail = (message: string) => this.#fail(name.at, name.name, message);
    if (count < fn.min) {
      throw fail(
        fn.max === fn.min
          ? `wrong number of args for ${name.name}: want ${fn.min} got ${count}`
          : `wrong number of args for ${name.name}: want at least ${fn.min} got ${count}`,
      );
    }
    if (count > fn.max) throw fail(`wrong number of args for ${name.name}: want ${fn.max} got ${count}`);
    const args: Maybe[] = [];
    for (const operand of operands.slice(1)) {
      args.push(this.#operand(operand, dot, false));
      if ((name.name === 'and' || name.name === 'or') && isTrue(args.at(-1)) === (name.name === 'or')) return args.at(-1);
    }
    if (hasFinal) args.push(final);
    try {
      return fn.call(args);
    } catch (error) {
      if (error instanceof TemplateFunctionError) {
        throw this.#fail(name.at, commandText(operands), `error calling ${name.name}: ${error.message}`);
      }
      if (error instanceof WrongTypeError) {
        const culprit = operands[1 + args.indexOf(error.value)] ?? name;
        throw this.#fail(culprit.at, operandText(culprit), error.message);
      }
      throw error;
    }
  }

  #operand(operand: Operand, dot: Dot, hasArgs: boolean): Maybe {
    switch (operand.kind) {
      case 'dot':
        return dot.value;
      case 'nil':
        return null;
      case 'constant':
        return operand.value;
      case 'pipe':
        return this.#pipe(operand.pipe, dot);
      case 'function':
        return this.#call(operand, [operand], dot, false, undefined);
      case 'fields':
        return this.#fields(operand, operand.names, dot, hasArgs);
      case 'variable': {
        const value = this.#slots.findLast((slot) => slot.name === operand.name)?.value;
        return operand.names.length === 0 ? value : this.#fields(operand, operand.names, concrete(value), hasArgs);
      }
      case 'chain':
        return this.#fields(operand, operand.names, concrete(this.#operand(operand.of, dot, false)), hasArgs);
    }
  }

  #fields(operand: Operand, names: readonly string[], from: Dot, hasArgs: boolean): Maybe {
    let { value, type } = from;
    let shown = operand.kind === 'fields' ? '' : headText(operand);
    // Go points at the last field of a chain that got this far.
    let at = operand.at + shown.length;
    names.forEach((name, i) => {
      shown += `.${name}`;
      const last = i === names.length - 1;
      if (value !== undefined) {
        if (value === null) throw this.#fail(at, shownFields(operand, names), `nil pointer evaluating ${type}.${name}`);
        if (!isMap(value)) throw this.#fail(at, shownFields(operand, names), `can't evaluate field ${name} in type ${type}`);
        if (last && hasArgs) throw this.#fail(at, shownFields(operand, names), `${name} is not a method but has arguments`);
        value = fieldOf(value, name);
        type = 'interface {}';
      }
      at += name.length + 1;
    });
    return value;
  }
}
