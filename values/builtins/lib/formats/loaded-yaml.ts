import type * as Yaml from '../../../yaml/yaml.js';

/** A module, once it is loaded: most policies read no YAML. */
let loaded: typeof Yaml | undefined;

/** Loads what `loadedYaml` answers, for the `load` of a built-in's row. */
export async function loadYaml(): Promise<void> {
  loaded ??= await import('../../../yaml/yaml.js');
}

export function loadedYaml(): typeof Yaml {
  return loaded!;
}
