/** Residual queries as JSON, as source and as a table. */

import type { Body, Expr, Module } from '../../compiler/index.js';
import {
  FormatError,
  formatModule,
  functionName,
  nowhere,
  parseModule,
  printBody,
  trueBody,
  walk,
} from '../../compiler/index.js';
import type { PartialResult } from '../../engine/index.js';
import { keywordImports, operatorSources, residualModule, writtenBody } from '../../engine/index.js';
import { gridText } from './table.js';

/** Each query and each module under a heading. */
export function partialSource({ queries, support }: PartialResult): string {
  const parts = [
    ...queries.map((body, i) => `# Query ${i + 1}\n${linesOf(body).join('\n')}\n`),
    ...support.map((module, i) => `# Module ${i + 1}\n${residualModule(module)}`),
  ];
  return parts.map((part, i) => (i < queries.length ? `${part}\n` : part)).join('');
}

/** A row for each query and each module. */
export function partialTable({ queries, support }: PartialResult): string {
  const rows = [
    ...queries.map((body, i) => [`Query ${i + 1}`, body.length === 0 ? [''] : linesOf(body)] as const),
    ...support.map(
      (module, i) =>
        [`Support ${i + 1}`, residualModule(module).trimEnd().replaceAll('\t', '    ').split('\n')] as const,
    ),
  ];
  return rows.length === 0
    ? 'undefined\n'
    : gridText(rows.map(([title, lines]) => lines.map((line, i) => [i === 0 ? title : '', line])));
}

function linesOf(body: Body): readonly string[] {
  return writtenBody(body).flatMap((expr) => (hasNestedCall(expr) ? formatted(expr) : [printBody([expr])]));
}

/** Calls of operators inside of others: the formatter writes them between their operands. */
function hasNestedCall(expr: Expr): boolean {
  let found = false;
  walk(expr, (node) => {
    found ||= node.type === 'call' && operatorSources.has(functionName(node.operator) ?? '');
  });
  return found;
}

/** The formatter writes modules, so the lines are those of a rule. */
function formatted(expr: Expr): readonly string[] {
  let text: string;
  try {
    text = formatModule(ruleOf([...trueBody(nowhere), expr]));
  } catch (error) {
    // Deep operators from nowhere have no layout.
    if (!(error instanceof FormatError)) throw error;
    return [printBody([expr])];
  }
  const lines = text.trimEnd().split('\n');
  const first = lines.indexOf('\ttrue') + 1;
  return lines.slice(first, -1).map((line) => line.slice(1));
}

function ruleOf(body: Body): Module {
  const module = parseModule('', 'package a\n\nb if { true; true }');
  const rules = module.rules.map((rule) => ({ ...rule, body }));
  return { ...module, rules, imports: keywordImports(rules) };
}
