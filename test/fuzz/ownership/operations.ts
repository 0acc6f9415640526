/** Random operations on a server. */
import type { Choices } from '../../generators/choices.js';
import type { ModelBundle, ModelPolicy, Operation, Path } from './model.js';

const packages: readonly Path[] = [
  ['app'],
  ['app', 'roles'],
  ['app', 'roles', 'deep'],
  ['apple'],
  ['lib'],
  ['lib', 'x'],
  ['other', 'app'],
  ['a'],
];
const roots = ['app', 'app', 'app/roles', 'lib', 'lib/x', 'apple', 'other', 'a'];

export function randomOperations(choices: Choices): readonly Operation[] {
  let count = 0;
  const tag = (from: string) => `${from}${count++}`;
  const policy = (from: string, within: readonly string[] = ['']): ModelPolicy => ({ package: packageIn(choices, within), tag: tag(from) });
  const id = () => `p${choices.below(4)}.rego`;
  const path = (): Path => [...choices.one(packages), 'd'];
  const bundle = (): ModelBundle => {
    const own = choices.chance(12) ? [''] : [...new Set(choices.times(1 + choices.below(2), () => choices.one(roots)))];
    // Roots of one bundle must not overlap either.
    const apart = own.filter((root) => !own.some((other) => other !== root && root.startsWith(`${other}/`)));
    return {
      roots: apart,
      policies: choices.times(choices.below(3), () => policy('b', apart)),
      documents: choices.times(choices.below(3), () => ({ path: [...packageIn(choices, apart), 'd'], value: tag('doc') })),
    };
  };
  return choices.times(3 + choices.below(8), (): Operation => {
    switch (choices.below(10)) {
      case 0:
      case 1:
        return { kind: 'put policy', id: id(), policy: policy('api') };
      case 2:
        return { kind: 'delete policy', id: choices.chance(70) ? id() : `b0/b${choices.below(8)}.rego` };
      case 3:
        return { kind: 'put data', path: path(), value: tag('put') };
      case 4:
        return choices.chance(50) ? { kind: 'patch data', path: path(), value: tag('patch') } : { kind: 'delete data', path: path() };
      case 5:
        return { kind: 'reload', files: Object.fromEntries(choices.times(choices.below(3), (i) => [`file${i}.rego`, policy('file')])) };
      default: {
        const some = choices.times(choices.chance(20) ? 2 : 1, () => [`b${choices.below(3)}`, choices.chance(85) ? bundle() : undefined]);
        return { kind: 'activate', bundles: Object.fromEntries(some) };
      }
    }
  });
}

function packageIn(choices: Choices, within: readonly string[]): Path {
  const fitting = packages.filter((path) => within.some((root) => root === '' || `${path.join('/')}/`.startsWith(`${root}/`)));
  return choices.one(fitting.length > 0 ? fitting : [within[0]!.split('/')]);
}
