/** Keys that stand twice in a mapping: `parseYaml` takes the last, as documents of data have it. */
import { loadAll, YAMLException } from 'js-yaml';

/** The line, from 1, of the first key that stands twice; undefined where none does. */
export function repeatedKey(text: string): number | undefined {
  try {
    loadAll(text, () => undefined);
  } catch (error) {
    if (error instanceof YAMLException && /duplicated mapping key/.test(error.reason ?? ''))
      return (error.mark?.line ?? 0) + 1;
  }
  return undefined;
}
