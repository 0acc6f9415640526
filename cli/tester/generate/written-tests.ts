/** Failures of properties as tests. */
import { existsSync, readFileSync } from 'node:fs';
import { toJson, type Value } from '../../../values/index.js';
import { CommandError } from '../../exit.js';
import { writeFile } from '../../output/write-file.js';
import type { TestedProperty } from './properties.js';

/** A test that fails as long as the property does not hold for an input. */
export function testText(
  { package: pkg, name, path }: Pick<TestedProperty, 'package' | 'name' | 'path'>,
  input: Value | undefined,
): string {
  const title = `test_${path.join('_').replaceAll(/\W+/g, '_')}`;
  const given = input === undefined ? '' : ` with input as ${toJson(input)}`;
  return `${title} if ${pkg}.${name}${given}\n`;
}

const firstLine = '# Inputs for which properties did not hold, found by writ test --generate.';

/** Writes the tests of failures. Throws a CommandError where the file is somebody's. */
export function writeTests(path: string, tests: readonly string[]): void {
  if (existsSync(path) && !readFileSync(path, 'utf8').startsWith(firstLine))
    throw new CommandError(`error: ${path}: it was not written by writ test --generate, and stays as it is`);
  writeFile(path, `${firstLine}\npackage generated_test\n\n${tests.join('\n')}`);
}
