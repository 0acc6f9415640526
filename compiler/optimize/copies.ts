/** Locals that only copy another, or a string or a boolean. */

import { BaseLookups, type Block, type Operand, type Policy } from '../../ir-schema/index.js';
import { withCopies } from '../plan/emit/notes.js';
import { type Definition, LocalFlow } from './flow.js';
import { mapBodies, type PlanBody } from './map-bodies.js';
import { readAsLocals, rewriteBlocks, substitute } from './rewrite.js';

/**
 * Reads the original instead of its copy where both are the same while the copy is read, and
 * removes the copy. A local that is mutated, or whose reads may see several definitions, is no
 * copy.
 */
export function propagateCopies(policy: Policy): Policy {
  const { strings } = policy.static ?? {};
  return mapBodies(policy, (body) => propagate(body, (index) => strings?.[index]?.value ?? ''));
}

function propagate(body: PlanBody, stringAt: (index: number) => string): readonly Block[] {
  const lookups = new BaseLookups(body.blocks, body.params[1], stringAt);
  const flow = new LocalFlow(body);
  const originals = new Map<Definition, Operand>();
  const originalOf = (local: number, position: number): Operand | undefined => {
    const definition = flow.definition(local, position);
    return definition && originals.get(definition);
  };
  for (const [position, node] of flow.nodes.entries()) {
    if (node.type !== 'AssignVarStmt') continue;
    const definition = flow.definitionAt(node.stmt.target, position);
    if (definition === undefined || !isPlainCopy(definition, flow)) continue;
    const { source } = node.stmt;
    // In preorder, so the source of this copy is known to be a copy itself.
    const original = source.type === 'local' ? (originalOf(source.value, position) ?? source) : source;
    if (original.type === 'local') {
      // The copy of a base document is a value: keys of other types find nothing there.
      if (lookups.has(original.value) && lookups.leadTo(definition.local)) continue;
      if (flow.isWritten(original.value, definition.start, definition.end)) continue;
    } else if (flow.readsOf(definition).some((at) => readAsLocals(flow.nodes[at]!).includes(definition.local)))
      continue;
    originals.set(definition, original);
  }
  if (originals.size === 0) return body.blocks;
  const copies = localsOf(originals);
  return rewriteBlocks(body.blocks, (node, position) => {
    if (node.type === 'AssignVarStmt') {
      const definition = flow.definitionAt(node.stmt.target, position);
      if (definition !== undefined && originals.has(definition)) return [];
    }
    const copy = withCopies(
      substitute(node, (local) => originalOf(local, position)),
      copies,
    );
    return copy === node ? undefined : [copy];
  });
}

/** Removed locals and their replacements, where these are the same everywhere: for notes. */
function localsOf(originals: ReadonlyMap<Definition, Operand>): ReadonlyMap<number, Operand> {
  const copies = new Map<number, Operand>();
  const several = new Set<number>();
  for (const [{ local }, original] of originals) {
    if (copies.has(local)) several.add(local);
    copies.set(local, original);
  }
  for (const local of several) copies.delete(local);
  return copies;
}

/** Whether every read of a local sees one definition, and its value is not mutated. */
export function isPlainCopy({ local, start, end }: Definition, flow: LocalFlow): boolean {
  return !flow.isLoose(local) && !flow.isMutated(local, start, end);
}
