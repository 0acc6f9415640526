/** Parts of templates as Go writes them in its complaints. */
import { goQuote } from '../../../text/term-text.js';
import type { TemplateNode, TemplateOperand, TemplatePipe } from './nodes.js';

export function headText(operand: TemplateOperand): string {
  if (operand.kind === 'variable') return operand.name;
  return operand.kind === 'chain' ? operandText(operand.of) : '';
}

export function shownFields(operand: TemplateOperand, names: readonly string[]): string {
  return `${headText(operand)}${names.map((name) => `.${name}`).join('')}`;
}

export function operandText(operand: TemplateOperand): string {
  switch (operand.kind) {
    case 'function':
      return operand.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'constant':
      return operand.text;
    case 'pipe':
      return `(${pipeText(operand.pipe)})`;
    default:
      return shownFields(operand, operand.names);
  }
}

export function commandText(operands: readonly TemplateOperand[]): string {
  return operands.map(operandText).join(' ');
}

function pipeText(pipe: TemplatePipe): string {
  const declared = pipe.variables.length === 0 ? '' : `${pipe.variables.join(', ')} ${pipe.assigns ? '=' : ':='} `;
  return declared + pipe.commands.map(({ operands }) => commandText(operands)).join(' | ');
}

export function templateText(node: TemplateNode & { kind: 'template' }): string {
  return `{{template ${goQuote(node.name)}${node.pipe === undefined ? '' : ` ${pipeText(node.pipe)}`}}}`;
}
