/** Warnings that the linter's configuration switches off: rules of the category `writ`. */

import { relative, resolve, sep } from 'node:path';
import type { SilentCode } from '../../compiler/index.js';
import { compilerRules, settingOf } from '../../views/index.js';
import { findConfig } from '../lint/find-config.js';

/** The silent codes of the configuration for some paths. One that cannot be read says nothing. */
export async function silentInLint(paths: readonly string[]): Promise<readonly SilentCode[]> {
  const found = await findConfig(paths, undefined, { env: {} }).catch(() => undefined);
  if (found === undefined || !found.config.categories.has('writ')) return [];
  return compilerRules.flatMap((rule): SilentCode[] => {
    const setting = settingOf(rule, found.config, {});
    if (setting === undefined) return [{ code: rule.name }];
    const ignored = (file: string): boolean =>
      setting.ignores(relative(found.root, resolve(file)).split(sep).join('/'));
    return [{ code: rule.name, inFile: ignored }];
  });
}
