/** The values of pipelines. */
import type { BuiltinError } from '../../builtin-errors.js';
import { isMap } from '../go/go-value.js';
import { concrete, fieldOf, type TemplateDot } from './members.js';
import type { TemplateCommand, TemplateOperand, TemplatePipe } from './nodes.js';
import type { TemplateScope } from './scope.js';
import { commandText, headText, operandText, shownFields } from './source-text.js';
import { isTrue, type Maybe, TemplateFunctionError, templateFunctions, WrongTypeError } from './template-functions.js';

export class PipeEvaluator {
  readonly #scope: TemplateScope;

  constructor(scope: TemplateScope) {
    this.#scope = scope;
  }

  /** The value of a pipeline, whose variables are bound to it. */
  value(pipe: TemplatePipe, dot: TemplateDot): Maybe {
    const value = this.unbound(pipe, dot);
    for (const name of pipe.variables) this.#scope.bind(pipe, name, value);
    return value;
  }

  /** The value of a pipeline, without its variables: a range binds them to elements. */
  unbound(pipe: TemplatePipe, dot: TemplateDot): Maybe {
    let value: Maybe;
    pipe.commands.forEach((command, i) => {
      value = this.#command(command, dot, i > 0, value);
      // A nil that came out of a map is nothing from here on.
      if (value === null) value = undefined;
    });
    return value;
  }

  #command({ operands }: TemplateCommand, dot: TemplateDot, hasFinal: boolean, final: Maybe): Maybe {
    const [first] = operands;
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
        if (first.kind === 'nil') throw this.#scope.fail(first.at, 'nil', 'nil is not a command');
        return this.#operand(first, dot, false);
    }
  }

  #notFunction(operand: TemplateOperand): BuiltinError {
    return this.#scope.fail(
      operand.at,
      operandText(operand),
      `can't give argument to non-function ${operandText(operand)}`,
    );
  }

  #call(
    name: TemplateOperand & { kind: 'function' },
    operands: readonly TemplateOperand[],
    dot: TemplateDot,
    hasFinal: boolean,
    final: Maybe,
  ): Maybe {
    const fn = templateFunctions.get(name.name)!;
    const count = operands.length - 1 + (hasFinal ? 1 : 0);
    const fail = (message: string) => this.#scope.fail(name.at, name.name, message);
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
      if ((name.name === 'and' || name.name === 'or') && isTrue(args.at(-1)) === (name.name === 'or'))
        return args.at(-1);
    }
    if (hasFinal) args.push(final);
    try {
      return fn.call(args);
    } catch (error) {
      if (error instanceof TemplateFunctionError) {
        throw this.#scope.fail(name.at, commandText(operands), `error calling ${name.name}: ${error.message}`);
      }
      if (error instanceof WrongTypeError) {
        const culprit = operands[1 + args.indexOf(error.value)] ?? name;
        throw this.#scope.fail(culprit.at, operandText(culprit), error.message);
      }
      throw error;
    }
  }

  #operand(operand: TemplateOperand, dot: TemplateDot, hasArgs: boolean): Maybe {
    switch (operand.kind) {
      case 'dot':
        return dot.value;
      case 'nil':
        return null;
      case 'constant':
        return operand.value;
      case 'pipe':
        return this.value(operand.pipe, dot);
      case 'function':
        return this.#call(operand, [operand], dot, false, undefined);
      case 'fields':
        return this.#fields(operand, operand.names, dot, hasArgs);
      case 'variable': {
        const value = this.#scope.valueOf(operand.name);
        return operand.names.length === 0 ? value : this.#fields(operand, operand.names, concrete(value), hasArgs);
      }
      case 'chain':
        return this.#fields(operand, operand.names, concrete(this.#operand(operand.of, dot, false)), hasArgs);
    }
  }

  #fields(operand: TemplateOperand, names: readonly string[], from: TemplateDot, hasArgs: boolean): Maybe {
    let { value, type } = from;
    let shown = operand.kind === 'fields' ? '' : headText(operand);
    // Go points at the last field of a chain that got this far.
    let at = operand.at + shown.length;
    names.forEach((name, i) => {
      shown += `.${name}`;
      const last = i === names.length - 1;
      if (value !== undefined) {
        if (value === null)
          throw this.#scope.fail(at, shownFields(operand, names), `nil pointer evaluating ${type}.${name}`);
        if (!isMap(value))
          throw this.#scope.fail(at, shownFields(operand, names), `can't evaluate field ${name} in type ${type}`);
        if (last && hasArgs)
          throw this.#scope.fail(at, shownFields(operand, names), `${name} is not a method but has arguments`);
        value = fieldOf(value, name);
        type = 'interface {}';
      }
      at += name.length + 1;
    });
    return value;
  }
}
