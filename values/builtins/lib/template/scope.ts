/** The variables of a template that runs, and its errors. */
import type { BuiltinError } from '../../builtin-errors.js';
import type { TemplatePipe } from './nodes.js';
import { executionError, mainName } from './place.js';
import { operandText } from './source-text.js';
import type { Maybe } from './template-functions.js';

interface Variable {
  readonly name: string;
  value: Maybe;
}

export class TemplateScope {
  readonly #source: string;
  /** The name of the template that runs. */
  #template = mainName;
  #variables: Variable[];

  constructor(source: string, value: Maybe) {
    this.#source = source;
    this.#variables = [{ name: '$', value }];
  }

  /** Runs another template, whose only variable is `$`. */
  inTemplate(name: string, value: Maybe, run: () => void): void {
    const outer = { template: this.#template, variables: this.#variables };
    this.#template = name;
    this.#variables = [{ name: '$', value }];
    run();
    this.#template = outer.template;
    this.#variables = outer.variables;
  }

  /** Forgets the variables that `run` declares. */
  scoped<T>(run: () => T): T {
    const size = this.#variables.length;
    const result = run();
    this.#variables.length = size;
    return result;
  }

  valueOf(name: string): Maybe {
    return this.#variables.findLast((variable) => variable.name === name)?.value;
  }

  /** Declares a variable of a pipeline, or assigns a value to it. */
  bind(pipe: TemplatePipe, name: string, value: Maybe): void {
    if (!pipe.assigns) this.#variables.push({ name, value });
    else this.#assign(pipe, name, value);
  }

  #assign(pipe: TemplatePipe, name: string, value: Maybe): void {
    const variable = this.#variables.findLast((candidate) => candidate.name === name);
    if (variable === undefined) throw this.failAtEnd(pipe, `undefined variable: ${name}`);
    variable.value = value;
  }

  fail(at: number, what: string, message: string): BuiltinError {
    return executionError(this.#source, this.#template, at, what, message);
  }

  /** Go points at the last operand it evaluated: a pipeline has a command, and this an operand. */
  failAtEnd(pipe: TemplatePipe, message: string): BuiltinError {
    const last = pipe.commands.at(-1)!.operands.at(-1)!;
    return this.fail(last.at, operandText(last), message);
  }
}
