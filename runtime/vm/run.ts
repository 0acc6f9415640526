/**
 * The register VM: one loop over one flat array of instructions. All frames share one array of
 * registers; a frame is a window of it. A program has passed the verifier, so the VM checks
 * nothing that the verifier has checked.
 */

import type { PlainObject, Value } from '../../values/index.js';
import {
  checkElements,
  equal,
  isObject,
  isSet,
  lookup,
  objectsInherit,
  pathKey,
  RegoObject,
  RegoSet,
  ValueClass,
} from '../../values/index.js';
import { Op } from '../bytecode/opcodes.js';
import { instructionPlace, notAssembled, type Program } from '../bytecode/program.js';
import type { ArrayIndex } from '../evaluation/array-indexes.js';
import { call1, call2, callAny } from '../evaluation/builtin-calls.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { noPlace, noValue, type Results, type RuleMemory, remember } from '../evaluation/rule-memory.js';
import { placesOfMembers } from '../evaluation/spread.js';
import { isOrderSeen, isUnordered, orderFree } from '../operations/any-order.js';
import { baseAt } from '../operations/base-lookup.js';
import { dispatchKey } from '../operations/dispatch-key.js';
import { newRounds, repeatsRound } from '../operations/distinct-rounds.js';
import { checkUnique, insert } from '../operations/insert.js';
import { lengthOf } from '../operations/length.js';
import { isMemberIn } from '../operations/membership.js';
import { merge } from '../operations/merge.js';
import { relates } from '../operations/order.js';
import { quickResult } from '../operations/quick-arithmetic.js';
import { copyIfEscaped, markEscaped, newTracker, track } from '../operations/unescaped.js';
import { withValueAt } from '../operations/with-value.js';
import { definedOperands, openFrame, operandAt, type RegisterValue } from './frames.js';
import { conflict, frameSize, located, raised, tooDeep } from './located.js';
import { firstReaches, ofSet, openScan, ScanIndexes } from './scans.js';

interface OpenWith {
  readonly register: number;
  readonly value: RegisterValue;
  readonly memory: RuleMemory;
  readonly isDataReplaced: boolean;
}

interface Runnable {
  readonly program: Program;
  /** The built-ins by their number in the program. */
  readonly linked: readonly LinkedBuiltin[];
}

/**
 * The result set of a plan: the objects of bindings, equal ones once. Throws an EvaluationError,
 * or a Suspension where a built-in has to wait.
 */
export function run(
  { program, linked: builtins }: Runnable,
  plan: number,
  input: RegisterValue,
  data: RegisterValue,
  evaluation: Evaluation,
): readonly Value[] {
  const { constants, functions, growth } = program;
  growth?.assemble(plan);
  let { code } = program;
  const { meter } = evaluation;
  const maxStack = evaluation.callDepth * frameSize;
  const registers: RegisterValue[] = [];
  const stack: number[] = [];
  const withs: OpenWith[] = [];
  const results: Value[] = [];
  const careful = objectsInherit();
  let memory: RuleMemory = [];
  /** Arguments of the active calls whose results are remembered by argument. */
  const calls: Value[] = [];
  const indexes = new ScanIndexes(program.documentPaths, evaluation);
  let current = plan;
  let base = 0;
  let pc = functions[plan]!.entry;
  for (let i = functions[plan]!.registers; i > 0; i--) registers.push(undefined);
  registers[0] = input;
  registers[1] = data;

  try {
    for (;;) {
      switch (code[pc]) {
        case Op.Jump:
          pc = code[pc + 1]!;
          break;
        case Op.EndLoop:
          pc = evaluation.strict || evaluation.reportsFailures ? pc + 2 : code[pc + 1]!;
          break;
        case Op.Move: {
          const source = code[pc + 2]!;
          registers[base + code[pc + 1]!] = source >= 0 ? registers[base + source] : constants[-1 - source];
          pc += 3;
          break;
        }
        case Op.MoveOnce: {
          const value = operandAt(pc + 2, code, registers, base, constants);
          const target = base + code[pc + 1]!;
          const old = registers[target];
          if (old === undefined) registers[target] = value;
          else if (value !== undefined && !equal(old, value)) throw conflict(functions[current]!.params);
          pc += 3;
          break;
        }
        case Op.Raise:
          throw raised(constants[code[pc + 1]!] as string);
        case Op.Reset:
          registers[base + code[pc + 1]!] = undefined;
          pc += 2;
          break;
        case Op.DotConst: {
          const field = code[pc + 2]!;
          const source = field >= 0 ? registers[base + field] : constants[-1 - field];
          if (typeof source === 'object' && source !== null) {
            const key = constants[code[pc + 3]!] as string;
            let value = (source as PlainObject)[key];
            // Functions and fields of classes and arrays are not in the document; no document
            // holds a function.
            if (value !== undefined && (careful || typeof value === 'function' || Array.isArray(source)))
              value = lookup(source, key);
            else if (source instanceof ValueClass) value = lookup(source, key);
            if (value !== undefined) {
              registers[base + code[pc + 1]!] = value;
              pc += 5;
              break;
            }
          }
          pc = code[pc + 4]!;
          break;
        }
        case Op.Dot: {
          const source = operandAt(pc + 2, code, registers, base, constants);
          const key = operandAt(pc + 3, code, registers, base, constants);
          if (source !== undefined && key !== undefined) {
            const value = lookup(source, key);
            if (value !== undefined) {
              registers[base + code[pc + 1]!] = value;
              pc += 5;
              break;
            }
          }
          pc = code[pc + 4]!;
          break;
        }
        case Op.DotBase: {
          const source = operandAt(pc + 2, code, registers, base, constants);
          const key = operandAt(pc + 3, code, registers, base, constants);
          const value = source === undefined || key === undefined ? undefined : baseAt(source, key);
          if (value === undefined) pc = code[pc + 4]!;
          else {
            registers[base + code[pc + 1]!] = value;
            pc += 5;
          }
          break;
        }
        case Op.DotAhead: {
          const source = registers[base + code[pc + 2]!];
          registers[base + code[pc + 1]!] =
            source === undefined ? undefined : lookup(source, constants[code[pc + 3]!]!);
          pc += 4;
          break;
        }
        case Op.EqualConst:
          pc = registers[base + code[pc + 1]!] === constants[code[pc + 2]!] ? pc + 4 : code[pc + 3]!;
          break;
        case Op.NotEqualConst: {
          const value = registers[base + code[pc + 1]!];
          pc = value !== undefined && value !== constants[code[pc + 2]!] ? pc + 4 : code[pc + 3]!;
          break;
        }
        case Op.Equal: {
          const a = operandAt(pc + 1, code, registers, base, constants);
          const b = operandAt(pc + 2, code, registers, base, constants);
          pc = a !== undefined && b !== undefined && (a === b || equal(a, b)) ? pc + 4 : code[pc + 3]!;
          break;
        }
        case Op.NotEqual: {
          const a = operandAt(pc + 1, code, registers, base, constants);
          const b = operandAt(pc + 2, code, registers, base, constants);
          pc = a !== undefined && b !== undefined && !equal(a, b) ? pc + 4 : code[pc + 3]!;
          break;
        }
        case Op.IsDefined:
          pc = registers[base + code[pc + 1]!] !== undefined ? pc + 3 : code[pc + 2]!;
          break;
        case Op.IsUndefined:
          pc = registers[base + code[pc + 1]!] === undefined ? pc + 3 : code[pc + 2]!;
          break;
        case Op.IsArray:
          pc = Array.isArray(operandAt(pc + 1, code, registers, base, constants)) ? pc + 3 : code[pc + 2]!;
          break;
        case Op.IsObject: {
          const value = operandAt(pc + 1, code, registers, base, constants);
          pc = value !== undefined && isObject(value) ? pc + 3 : code[pc + 2]!;
          break;
        }
        case Op.IsSet: {
          const value = operandAt(pc + 1, code, registers, base, constants);
          pc = value !== undefined && isSet(value) ? pc + 3 : code[pc + 2]!;
          break;
        }
        case Op.Len: {
          const size = lengthOf(operandAt(pc + 2, code, registers, base, constants));
          if (size === undefined) {
            pc = code[pc + 3]!;
            break;
          }
          registers[base + code[pc + 1]!] = size;
          pc += 4;
          break;
        }
        case Op.MakeArray:
          registers[base + code[pc + 1]!] = [];
          pc += 2;
          break;
        case Op.MakeObject:
          registers[base + code[pc + 1]!] = {};
          pc += 2;
          break;
        case Op.MakeAnyObject:
          registers[base + code[pc + 1]!] = new RegoObject();
          pc += 2;
          break;
        case Op.MakeSet:
          registers[base + code[pc + 1]!] = new RegoSet();
          pc += 2;
          break;
        case Op.ArrayAppend: {
          const array = registers[base + code[pc + 1]!];
          const value = operandAt(pc + 2, code, registers, base, constants);
          if (value === undefined || !Array.isArray(array)) {
            pc = code[pc + 3]!;
            break;
          }
          checkElements(array.length + 1);
          array.push(value);
          pc += 4;
          break;
        }
        case Op.SetAdd: {
          const set = registers[base + code[pc + 1]!];
          const value = operandAt(pc + 2, code, registers, base, constants);
          if (value === undefined || !(set instanceof RegoSet)) {
            pc = code[pc + 3]!;
            break;
          }
          set.add(value);
          pc += 4;
          break;
        }
        case Op.ObjectInsert:
        case Op.ObjectInsertOnce: {
          const target = base + code[pc + 1]!;
          const object = registers[target];
          const key = operandAt(pc + 2, code, registers, base, constants);
          const value = operandAt(pc + 3, code, registers, base, constants);
          if (key === undefined || value === undefined || object === undefined || !isObject(object)) {
            pc = code[pc + 4]!;
            break;
          }
          if (code[pc] === Op.ObjectInsertOnce) {
            checkUnique(object, key, value);
          }
          registers[target] = insert(object, key, value);
          pc += 5;
          break;
        }
        case Op.ObjectMerge: {
          const a = operandAt(pc + 2, code, registers, base, constants);
          const b = operandAt(pc + 3, code, registers, base, constants);
          if (a === undefined || b === undefined || !isObject(a) || !isObject(b)) {
            pc = code[pc + 4]!;
            break;
          }
          registers[base + code[pc + 1]!] = merge(a, b);
          pc += 5;
          break;
        }
        case Op.ScanStart: {
          const source = operandAt(pc + 2, code, registers, base, constants);
          const flags = code[pc + 4]!;
          const isOrdered = (flags & 2) === 0 || evaluation.strict || evaluation.reportsFailures;
          pc = openScan(registers, base + code[pc + 1]!, source, (flags & 1) !== 0, isOrdered) ? pc + 5 : code[pc + 3]!;
          break;
        }
        case Op.ScanFree: {
          const source = operandAt(pc + 2, code, registers, base, constants);
          const ordered = base + code[pc + 4]!;
          const isFree = registers[ordered] !== true && isUnordered(source, evaluation);
          if (isFree) registers[ordered] = false;
          pc = openScan(registers, base + code[pc + 1]!, source, false, !isFree) ? pc + 5 : code[pc + 3]!;
          break;
        }
        case Op.InOrder: {
          const ordered = base + code[pc + 1]!;
          const before = registers[ordered];
          const flags = code[pc + 3]!;
          const value = operandAt(pc + 2, code, registers, base, constants);
          const isSeen = before !== true && isOrderSeen(value, orderFree[flags & 3]!);
          if (isSeen) registers[ordered] = true;
          if (isSeen && before === false) {
            if ((flags & 4) !== 0) (registers[base + code[pc + 4]!] as Value[]).length = 0;
            pc += 6;
          } else pc = code[pc + 5]!;
          break;
        }
        case Op.ScanIndex: {
          const index = indexes.of(registers, base + code[pc + 1]!, code[pc + 2]!, code[pc + 3]!, code[pc + 4]!);
          if (index === undefined) {
            pc = code[pc + 6]!;
            break;
          }
          registers[base + code[pc + 5]!] = index as unknown as Value;
          pc += 7;
          break;
        }
        case Op.ScanReaches:
          pc = firstReaches(registers, base + code[pc + 1]!, constants[code[pc + 2]!]!) ? pc + 4 : code[pc + 3]!;
          break;
        case Op.ScanIndexed: {
          const iterator = base + code[pc + 1]!;
          const index = registers[base + code[pc + 2]!] as unknown as ArrayIndex;
          const wanted = operandAt(pc + 3, code, registers, base, constants);
          const found = code[pc + 4] === 1 ? placesOfMembers(index, wanted) : index.placesOf(wanted);
          if (found !== undefined) {
            registers[iterator + 2] ??= registers[iterator];
            registers[iterator] = found;
          }
          pc += 5;
          break;
        }
        case Op.ScanNarrow:
          indexes.narrow(
            registers,
            base + code[pc + 1]!,
            code[pc + 2]!,
            code[pc + 3] === 1,
            operandAt(pc + 4, code, registers, base, constants),
          );
          pc += 5;
          break;
        case Op.ScanGroups:
          indexes.group(registers, base + code[pc + 1]!, code[pc + 2]!, code[pc + 3] === 1);
          pc += 4;
          break;
        case Op.ScanFoundGroups:
          indexes.groupFound(
            registers,
            base + code[pc + 1]!,
            registers[base + code[pc + 2]!],
            code[pc + 3]!,
            code[pc + 4] === 1,
          );
          pc += 5;
          break;
        case Op.ScanNext: {
          const iterator = base + code[pc + 1]!;
          const sequence = registers[iterator] as readonly Value[];
          const at = registers[iterator + 1] as number;
          if (at >= sequence.length) {
            pc = code[pc + 4]!;
            break;
          }
          if ((meter.left -= code[pc + 5]!) < 0) meter.refill();
          registers[iterator + 1] = at + 1;
          const source = registers[iterator + 2];
          const element = sequence[at]!;
          if (source === undefined) {
            registers[base + code[pc + 2]!] = at;
            registers[base + code[pc + 3]!] = element;
          } else {
            registers[base + code[pc + 2]!] = element;
            registers[base + code[pc + 3]!] = source === ofSet ? element : lookup(source, element);
          }
          pc += 6;
          break;
        }
        case Op.WithPush: {
          const register = base + code[pc + 1]!;
          const old = registers[register];
          withs.push({ register, value: old, memory, isDataReplaced: indexes.isDataReplaced });
          if (register !== base) indexes.isDataReplaced = true;
          memory = [];
          registers[register] = withValueAt(
            old,
            program.documentPaths[code[pc + 2]!]!,
            operandAt(pc + 3, code, registers, base, constants),
          );
          pc += 4;
          break;
        }
        case Op.WithPop: {
          const open = withs.pop()!;
          registers[open.register] = open.value;
          memory = open.memory;
          indexes.isDataReplaced = open.isDataReplaced;
          pc += 1;
          break;
        }
        case Op.Call: {
          const index = code[pc + 1]!;
          const count = code[pc + 4]!;
          const callee = functions[index]!;
          if (callee.entry === notAssembled) {
            growth?.assemble(index);
            code = program.code;
          }
          let known: RuleMemory[number];
          let slot = noPlace;
          if (count === 2) {
            known = memory[index];
            slot = index;
          } else if (count === 3 && !callee.isQuick) {
            // To recognize an array or object would cost more than most functions do.
            const argument = operandAt(pc + 7, code, registers, base, constants);
            if (typeof argument === 'string' || typeof argument === 'number' || typeof argument === 'boolean') {
              const results = (memory[index] ??= new Map()) as Results;
              known = results.get(argument);
              if (known === undefined) {
                slot = -2 - index;
                calls.push(argument);
              }
            }
          }
          if (known !== undefined) {
            if (known === noValue) pc = code[pc + 3]!;
            else {
              registers[base + code[pc + 2]!] = known as Value;
              pc += 5 + count;
            }
            break;
          }
          if (stack.length >= maxStack) throw tooDeep(evaluation.callDepth);
          stack.push(pc + 5 + count, code[pc + 3]!, base, current, base + code[pc + 2]!, slot);
          base = openFrame(pc + 5, count, callee, code, registers, base, functions[current]!.registers, constants);
          current = index;
          pc = callee.entry;
          if ((meter.left -= callee.weight) < 0) meter.refill();
          break;
        }
        case Op.CallDynamic: {
          const path = definedOperands(pc + 3, code, registers, base, constants);
          const args = pc + 4 + code[pc + 3]!;
          const count = code[args]!;
          const key = path?.every((part) => typeof part === 'string') ? pathKey(path) : undefined;
          let index = key === undefined ? undefined : program.paths.get(key);
          if (key !== undefined && index !== undefined && functions[index]?.entry === notAssembled) {
            growth?.assemble(index);
            code = program.code;
            index = program.paths.get(key);
          }
          if (index !== undefined && index < 0 && count === 2) {
            registers[base + code[pc + 1]!] = constants[-1 - index];
            pc = args + 1 + count;
            break;
          }
          if (index === undefined || index < 0 || functions[index]!.params !== count) {
            pc = code[pc + 2]!;
            break;
          }
          const known = count === 2 ? memory[index] : undefined;
          const slot = count === 2 ? index : noPlace;
          if (known === undefined) {
            if (stack.length >= maxStack) throw tooDeep(evaluation.callDepth);
            stack.push(args + 1 + count, code[pc + 2]!, base, current, base + code[pc + 1]!, slot);
            const callee = functions[index]!;
            base = openFrame(args + 1, count, callee, code, registers, base, functions[current]!.registers, constants);
            current = index;
            pc = callee.entry;
            if ((meter.left -= callee.weight) < 0) meter.refill();
          } else if (known === noValue) pc = code[pc + 2]!;
          else {
            registers[base + code[pc + 1]!] = known as Value;
            pc = args + 1 + count;
          }
          break;
        }
        case Op.Return: {
          const value = registers[base + code[pc + 1]!];
          const top = stack.length - frameSize;
          remember(memory, stack[top + 5]!, value, calls);
          base = stack[top + 2]!;
          current = stack[top + 3]!;
          if (value === undefined) pc = stack[top + 1]!;
          else {
            registers[stack[top + 4]!] = value;
            pc = stack[top]!;
          }
          stack.length = top;
          break;
        }
        case Op.Builtin1: {
          const builtin = builtins[code[pc + 1]!]!;
          const a = operandAt(pc + 4, code, registers, base, constants);
          const value = a === undefined ? undefined : call1(builtin, a, evaluation);
          if (value === undefined) {
            if (evaluation.hasFailed) evaluation.reportFailure(instructionPlace(program, pc));
            pc = code[pc + 3]!;
          } else {
            registers[base + code[pc + 2]!] = value;
            pc += 5;
          }
          break;
        }
        case Op.Builtin2: {
          const builtin = builtins[code[pc + 1]!]!;
          const a = operandAt(pc + 4, code, registers, base, constants);
          const b = operandAt(pc + 5, code, registers, base, constants);
          const value = a === undefined || b === undefined ? undefined : call2(builtin, a, b, evaluation);
          if (value === undefined) {
            if (evaluation.hasFailed) evaluation.reportFailure(instructionPlace(program, pc));
            pc = code[pc + 3]!;
          } else {
            registers[base + code[pc + 2]!] = value;
            pc += 6;
          }
          break;
        }
        case Op.Builtin: {
          const operands = definedOperands(pc + 4, code, registers, base, constants);
          const value = operands === undefined ? undefined : callAny(builtins[code[pc + 1]!]!, operands, evaluation);
          if (value === undefined) {
            if (evaluation.hasFailed) evaluation.reportFailure(instructionPlace(program, pc));
            pc = code[pc + 3]!;
          } else {
            registers[base + code[pc + 2]!] = value;
            pc += 5 + code[pc + 4]!;
          }
          break;
        }
        case Op.Compare: {
          const a = operandAt(pc + 3, code, registers, base, constants);
          const b = operandAt(pc + 4, code, registers, base, constants);
          if (a === undefined || b === undefined) pc = code[pc + 5]!;
          else {
            registers[base + code[pc + 1]!] = relates(code[pc + 2]!, a, b);
            pc += 6;
          }
          break;
        }
        case Op.CompareTest: {
          const a = operandAt(pc + 2, code, registers, base, constants);
          const b = operandAt(pc + 3, code, registers, base, constants);
          pc = a !== undefined && b !== undefined && relates(code[pc + 1]!, a, b) ? pc + 5 : code[pc + 4]!;
          break;
        }
        case Op.Arithmetic: {
          const a = operandAt(pc + 5, code, registers, base, constants);
          const b = operandAt(pc + 6, code, registers, base, constants);
          let value: RegisterValue = quickResult(code[pc + 4]!, a, b);
          if (value === undefined && a !== undefined && b !== undefined)
            value = call2(builtins[code[pc + 1]!]!, a, b, evaluation);
          if (value === undefined) {
            if (evaluation.hasFailed) evaluation.reportFailure(instructionPlace(program, pc));
            pc = code[pc + 3]!;
          } else {
            registers[base + code[pc + 2]!] = value;
            pc += 7;
          }
          break;
        }
        case Op.Member: {
          const element = operandAt(pc + 1, code, registers, base, constants);
          const collection = operandAt(pc + 2, code, registers, base, constants);
          const isFound =
            element !== undefined &&
            collection !== undefined &&
            isMemberIn(element, collection, indexes, code[pc + 4] === 1);
          pc = isFound ? pc + 5 : code[pc + 3]!;
          break;
        }
        case Op.Dispatch: {
          const key = dispatchKey(operandAt(pc + 2, code, registers, base, constants));
          const entries = key === undefined ? undefined : program.tables[code[pc + 3]!]!.get(key);
          if (entries === undefined) pc = code[pc + 4]!;
          else {
            registers[base + code[pc + 1]!] = entries;
            registers[base + code[pc + 1]! + 1] = 0;
            pc += 5;
          }
          break;
        }
        case Op.DispatchNext: {
          const iterator = base + code[pc + 1]!;
          const entries = registers[iterator] as readonly number[];
          const at = registers[iterator + 1] as number;
          registers[iterator + 1] = at + 1;
          pc = at < entries.length ? entries[at]! : code[pc + 2]!;
          break;
        }
        case Op.ResultAdd: {
          const value = registers[base + code[pc + 1]!];
          if (value === undefined) {
            pc = code[pc + 2]!;
            break;
          }
          results.push(value);
          pc += 3;
          break;
        }
        case Op.End: {
          if (stack.length === 0) return results.length > 1 ? distinct(results) : results;
          // A function whose blocks all ended without a return is undefined.
          const top = stack.length - frameSize;
          remember(memory, stack[top + 5]!, undefined, calls);
          base = stack[top + 2]!;
          current = stack[top + 3]!;
          pc = stack[top + 1]!;
          stack.length = top;
          break;
        }
        case Op.NewRounds:
          registers[base + code[pc + 1]!] = newRounds(
            registers[base + code[pc + 2]!]!,
            constants[code[pc + 3]!]!,
            evaluation,
          );
          pc += 4;
          break;
        case Op.DistinctRound:
          if (
            repeatsRound(registers[base + code[pc + 1]!], registers[base + code[pc + 2]!]!, constants[code[pc + 3]!]!)
          )
            pc = code[pc + 4]!;
          else pc += 5;
          break;
        case Op.TrackStart:
          registers[base + code[pc + 1]!] = newTracker();
          pc += 2;
          break;
        case Op.Track: {
          const made = base + code[pc + 2]!;
          registers[made] = track(registers[base + code[pc + 1]!], registers[made], code[pc + 3] === 1);
          pc += 4;
          break;
        }
        case Op.Escape:
          markEscaped(registers[base + code[pc + 1]!], registers[base + code[pc + 2]!]);
          pc += 3;
          break;
        case Op.CopyIfEscaped: {
          const changed = base + code[pc + 2]!;
          registers[changed] = copyIfEscaped(
            registers[base + code[pc + 1]!],
            registers[changed],
            code[pc + 3] === 1,
            meter,
          );
          pc += 4;
          break;
        }
        default:
          throw new Error(`no instruction ${code[pc]} at ${pc}`);
      }
    }
  } catch (error) {
    throw located(error, program, pc, current, stack);
  }
}

function distinct(results: readonly Value[]): readonly Value[] {
  return [...new RegoSet(results)];
}
