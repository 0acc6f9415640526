import type { Annotations, Comment, Package, Rule } from '../ast/nodes.js';
import type { Diagnostic } from '../diagnostics/diagnostics.js';
import type { Statement } from './grammar.js';

export function readAnnotations(_comments: readonly Comment[]): { blocks: readonly Annotations[]; problems: readonly Diagnostic[] } {
  return { blocks: [], problems: [] };
}

export function attachAnnotations(
  _pkg: Package,
  statements: readonly Statement[],
  blocks: readonly Annotations[],
): { rules: readonly Rule[]; annotations: readonly Annotations[]; problems: readonly Diagnostic[] } {
  return { rules: statements.filter((s) => s.type === 'rule'), annotations: blocks, problems: [] };
}
