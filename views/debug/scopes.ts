/** The scopes of a frame. */

import { documentText } from '../../compiler/index.js';
import type { PlanMachine } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { PlanMap } from './plan-map.js';
import type { DebugScope, ScopeName, SessionVariable } from './session.js';
import { frameLocals, pathOfFunc, type ViewedFrame, variable, variablesOf } from './stack-view.js';

export function scopesOf(
  frame: ViewedFrame,
  map: PlanMap,
  machine: PlanMachine,
  why: () => readonly string[],
): readonly DebugScope[] {
  const { call } = frame;
  const scope = (name: ScopeName, isExpensive: boolean, variables: () => readonly SessionVariable[]): DebugScope => ({
    name,
    isExpensive,
    variables,
  });
  const ruleSoFar = (): readonly SessionVariable[] => {
    const path = call.func && pathOfFunc(call.func);
    if (call.func === undefined || path === undefined) return [];
    return [variable(documentText(path), call.returned ?? call.get(call.func.return))];
  };
  const computed = (): readonly SessionVariable[] => {
    const paths = new Map(
      map.addresses.owners.map(({ body }) => [body.name, 'params' in body ? pathOfFunc(body) : undefined]),
    );
    const found: SessionVariable[] = [];
    for (const [name, value] of machine.memo) {
      const path = paths.get(name);
      if (path !== undefined) found.push(variable(documentText(path), value));
    }
    return found;
  };
  return [
    scope('Variables', false, () => [...variablesOf(frame, map)].map(([name, value]) => variable(name, value))),
    scope('Rule so far', false, ruleSoFar),
    scope('Rules computed', false, computed),
    scope('Input', false, () => [documentVariable('input', call.get(0))]),
    scope('Data', true, () => [documentVariable('data', call.get(1))]),
    scope('Why here', true, () => why().map((text, i) => variable(String(i + 1), text, undefined))),
    scope('Locals', false, () => frameLocals(frame).map(([name, value]) => variable(name, value))),
  ];
}

function documentVariable(name: 'input' | 'data', value: Value | undefined): SessionVariable {
  return { name, value, isWritable: true, expression: name };
}
