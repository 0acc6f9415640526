/** Packages as objects. */
import type { Block } from '../../../ir-schema/plan.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import { nowhere } from '../../source/location.js';
import { dataLocal, local } from '../emit/emit.js';
import { planRoot, visibleChildren } from '../expressions/places.js';
import type { FunctionPlanner } from '../function-planner.js';

/** A package: the values of its rules and of the packages below, merged with base documents. */
export function planPackage(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  const { e } = p;
  e.subject = { reason: 'package' };
  const rules = e.newLocal();
  const make = e.block(() => e.emit('MakeObjectStmt', nowhere, { target: rules }));
  const members = visibleChildren(p, document).map(([name, child]) =>
    e.block(() => {
      const callee = p.functions.callee(child, p.environment);
      const value = e.newLocal();
      const args = [local(0), local(1), ...callee.environment.parameters.map(({ id }) => p.replacementValues.get(id)!)];
      e.emit('CallStmt', nowhere, { func: callee.name, args, result: value });
      e.emit('ObjectInsertStmt', nowhere, { object: rules, key: e.string(name), value: local(value) });
    }),
  );
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
