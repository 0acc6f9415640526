/** Templates as they run: nodes write text, pipelines give values. */
import { checkTextLength } from '../../../memory.js';
import { goQuote } from '../../../text/term-text.js';
import type { ObjectValue } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { goText } from '../go/format.js';
import { GoInt, type GoValue } from '../go/go-value.js';
import { concrete, type TemplateDot, templateElements } from './members.js';
import type { TemplateNode, TemplatePipe } from './nodes.js';
import type { Templates } from './parser.js';
import { PipeEvaluator } from './pipe-evaluator.js';
import { mainName, unitsPerNode } from './place.js';
import { TemplateScope } from './scope.js';
import { templateText } from './source-text.js';
import { isTrue, type Maybe } from './template-functions.js';

const maxTemplateDepth = 1000;

type Jump = 'break' | 'continue' | undefined;

/** The text of the main template with these variables. */
export function executeTemplates(
  source: string,
  templates: Templates,
  variables: ObjectValue,
  context: BuiltinContext,
): string {
  return new Executor(templates, new TemplateScope(source, variables), context).run(variables);
}

class Executor {
  readonly #templates: Templates;
  readonly #scope: TemplateScope;
  readonly #pipes: PipeEvaluator;
  readonly #context: BuiltinContext;
  #depth = 0;
  #out: string[] = [];
  #size = 0;

  constructor(templates: Templates, scope: TemplateScope, context: BuiltinContext) {
    this.#templates = templates;
    this.#scope = scope;
    this.#pipes = new PipeEvaluator(scope);
    this.#context = context;
  }

  run(variables: ObjectValue): string {
    this.#nodes(this.#templates.get(mainName) ?? [], { value: variables, type: 'map[string]interface {}' });
    return this.#out.join('');
  }

  #write(text: string): void {
    this.#out.push(text);
    this.#size += text.length;
    checkTextLength(this.#size);
  }

  #nodes(nodes: readonly TemplateNode[], dot: TemplateDot): Jump {
    for (const node of nodes) {
      this.#context.tick(unitsPerNode);
      const jump = this.#node(node, dot);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: TemplateNode, dot: TemplateDot): Jump {
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'action': {
        const value = this.#pipes.value(node.pipe, dot);
        if (node.pipe.variables.length === 0)
          this.#write(value === undefined || value === null ? '<no value>' : goText(value));
        return undefined;
      }
      case 'if':
      case 'with':
        return this.#branch(node, dot);
      case 'range':
        return this.#scope.scoped(() => this.#range(node, dot));
      case 'template':
        this.#template(node, dot);
        return undefined;
      default:
        return node.kind;
    }
  }

  #branch(node: TemplateNode & { kind: 'if' | 'with' | 'range' }, dot: TemplateDot): Jump {
    return this.#scope.scoped(() => {
      const value = this.#pipes.value(node.pipe, dot);
      if (!isTrue(value)) return this.#nodes(node.otherwise, dot);
      return this.#nodes(node.body, node.kind === 'with' ? concrete(value) : dot);
    });
  }

  #range(node: TemplateNode & { kind: 'if' | 'with' | 'range' }, dot: TemplateDot): Jump {
    const value = this.#pipes.unbound(node.pipe, dot);
    const { variables } = node.pipe;
    if (value instanceof GoInt && variables.length > 1) {
      throw this.#scope.failAtEnd(node.pipe, `can't use ${value.value} to iterate over more than one variable`);
    }
    let any = false;
    for (const [key, element, type] of templateElements(value, (message) =>
      this.#scope.failAtEnd(node.pipe, message),
    )) {
      any = true;
      this.#context.tick(unitsPerNode);
      const jump = this.#scope.scoped(() => {
        this.#bindRange(node.pipe, key, element);
        return this.#nodes(node.body, { value: element, type });
      });
      if (jump === 'break') break;
    }
    return any ? undefined : this.#nodes(node.otherwise, dot);
  }

  #bindRange(pipe: TemplatePipe, key: GoValue, element: Maybe): void {
    const values = pipe.variables.length > 1 ? [key, element] : [element];
    for (const [i, name] of pipe.variables.entries()) this.#scope.bind(pipe, name, values[i]);
  }

  #template(node: TemplateNode & { kind: 'template' }, dot: TemplateDot): void {
    const nodes = this.#templates.get(node.name);
    if (nodes === undefined)
      throw this.#scope.fail(node.at, templateText(node), `template ${goQuote(node.name)} not defined`);
    if (this.#depth >= maxTemplateDepth) {
      throw this.#scope.fail(node.at, templateText(node), `exceeded maximum template depth (${maxTemplateDepth})`);
    }
    const value = node.pipe === undefined ? undefined : this.#pipes.value(node.pipe, dot);
    this.#depth++;
    this.#scope.inTemplate(node.name, value, () => this.#nodes(nodes, concrete(value)));
    this.#depth--;
  }
}
