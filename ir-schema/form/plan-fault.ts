/** Holds a document against the form of plans. */
import { isJson, type Json } from '../nesting.js';
import { quoteName } from '../plan-error.js';
import { envelope, type Form, forms, type Member, operand, operandKinds } from './plan-forms.js';

/** What is wrong with a document, and the way to it. */
export interface Fault {
  readonly steps: (string | number)[];
  readonly reason: string;
}

/**
 * The first fault of a document that should be a plan, undefined where it is one. Blocks may be
 * nested deep: those inside others are left for {@link blockFault}.
 */
export function planFault(policy: unknown): Fault | undefined {
  return kindFault('Policy', policy, '');
}

/** As {@link planFault}, of a block without those that its statements hold. */
export function blockFault(block: unknown): Fault | undefined {
  return isJson(block) ? objectFault(forms.others.get('Block')!, block) : { steps: [], reason: 'must be object' };
}

function objectFault(form: Form, value: Json): Fault | undefined {
  let found = 0;
  for (const name in value) {
    const member = form.members.get(name);
    if (member === undefined) return missingFault(form, value) ?? { steps: [name], reason: 'no such property is known here' };
    const held = value[name];
    if (held === undefined) continue;
    if (!member.isOptional) found++;
    const fault = memberFault(member, held);
    if (fault !== undefined) return missingFault(form, value) ?? inside(name, fault);
  }
  return found === form.required.length ? undefined : missingFault(form, value);
}

function missingFault({ required }: Form, value: Json): Fault | undefined {
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : { steps: [], reason: `property ${quoteName(missing)} is missing` };
}

function memberFault({ kind, isList, isNullable }: Member, value: unknown): Fault | undefined {
  if (value === null && isNullable) return undefined;
  const orNull = isNullable ? ' or null' : '';
  if (!isList) return kindFault(kind, value, orNull);
  if (!Array.isArray(value)) return { steps: [], reason: `must be array${orNull}` };
  for (let i = 0; i < value.length; i++) {
    const fault = kindFault(kind, value[i], '');
    if (fault !== undefined) return inside(i, fault);
  }
  return undefined;
}

/** @param orNull what else the value could be, for the reason */
function kindFault(kind: string, value: unknown, orNull: string): Fault | undefined {
  switch (kind) {
    case 'any':
      return undefined;
    case 'int':
      return Number.isInteger(value) ? undefined : { steps: [], reason: 'must be integer' };
    case 'string':
    case 'boolean':
      return typeof value === kind ? undefined : { steps: [], reason: `must be ${kind}` };
  }
  if (!isJson(value)) return { steps: [], reason: `must be object${orNull}` };
  switch (kind) {
    case 'object':
    case 'Block':
      return undefined;
    case 'Operand':
      return objectFault(operand, value) ?? operandFault(value);
    case 'Stmt':
      return objectFault(envelope, value) ?? statementFault(value);
    default:
      return objectFault(forms.others.get(kind)!, value);
  }
}

function operandFault({ type, value }: Json): Fault | undefined {
  if (typeof type !== 'string' || !Object.hasOwn(operandKinds, type)) return typeFault(type, 'operand');
  const fault = kindFault(operandKinds[type as keyof typeof operandKinds], value, '');
  return fault && inside('value', fault);
}

function statementFault({ type, stmt }: Json): Fault | undefined {
  const form = typeof type === 'string' ? forms.statements.get(type) : undefined;
  if (form === undefined) return typeFault(type, 'statement');
  const fault = isJson(stmt) ? objectFault(form, stmt) : { steps: [], reason: 'must be object' };
  return fault && inside('stmt', fault);
}

function typeFault(type: unknown, what: string): Fault {
  return { steps: ['type'], reason: typeof type === 'string' ? `${quoteName(type)} is not a kind of ${what}` : 'must be string' };
}

function inside(step: string | number, fault: Fault): Fault {
  fault.steps.unshift(step);
  return fault;
}
