/** Packages as objects. */
import type { Block } from '../../../ir-schema/index.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import { nowhere } from '../../source/location.js';
import { dataLocal, local } from '../emit/emit.js';
import { planRoot, visibleChildren } from '../expressions/places.js';
import type { FunctionPlanner } from '../function-planner.js';
import { leadingArguments } from '../planning.js';

/** A package: the values of its rules and of the packages below, merged with base documents. */
export function planPackage(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  const { e } = p;
  e.subject = { reason: 'package' };
  const rules = e.newLocal();
  const make = e.block(() => e.emit('MakeObjectStmt', nowhere, { target: rules }));
  const members = visibleChildren(p, document).flatMap(([name, child]) => memberOf(p, rules, name, child));
  const merge = e.block(() => {
    let base = document.path.length === 0 ? planRoot(p, nowhere) : local(dataLocal);
    for (const key of document.path) {
      const target = e.newLocal();
      e.emit('DotStmt', nowhere, { source: base, key: e.string(key), target });
      base = local(target);
    }
    e.emit('ObjectMergeStmt', nowhere, { a: e.asLocal(base, nowhere), b: rules, target: result });
  });
  const alone = e.block(() => {
    e.emit('IsUndefinedStmt', nowhere, { source: result });
    e.emit('AssignVarStmt', nowhere, { source: local(rules), target: result });
  });
  return [make, ...members, merge, alone];
}

/**
 * Puts a rule or a package into an object. Packages whose one member is a package are made here:
 * the base documents below are merged with them where this object is, and a path of a thousand
 * names takes a thousand statements, not one for each of its beginnings in each of them.
 */
function memberOf(p: FunctionPlanner, object: number, first: string, document: VirtualDocument): readonly Block[] {
  const { e } = p;
  /** Objects in objects, each under a name in the one before. */
  const outer: { readonly object: number; readonly name: string; readonly made: number }[] = [];
  let [container, name, child] = [object, first, document];
  for (;;) {
    const [only, ...others] = child.kind === 'package' ? visibleChildren(p, child) : [];
    if (only === undefined || others.length > 0) break;
    const made = e.newLocal();
    outer.push({ object: container, name, made });
    container = made;
    [name, child] = only;
  }
  const make = e.block(() => {
    for (const { made: target } of outer) e.emit('MakeObjectStmt', nowhere, { target });
  });
  const member = e.block(() => {
    const callee = p.functions.callee(child, p.environment);
    const value = e.newLocal();
    e.emit('CallStmt', nowhere, { func: callee.name, args: leadingArguments(p, callee.environment), result: value });
    e.emit('ObjectInsertStmt', nowhere, { object: container, key: e.string(name), value: local(value) });
  });
  if (outer.length === 0) return [member];
  const nest = e.block(() => {
    for (const place of outer.toReversed())
      e.emit('ObjectInsertStmt', nowhere, {
        object: place.object,
        key: e.string(place.name),
        value: local(place.made),
      });
  });
  return [make, member, nest];
}
