/** How policies are read. */
import type { CompileCapabilities } from '../../compiler/index.js';

/** The version of the language of policies that do not say it themselves. */
export type Language = 'v0' | 'v1';

export interface Reading {
  readonly language: Language;
  /** The keywords and features that policies may use; undefined allows everything. */
  readonly capabilities?: CompileCapabilities | undefined;
  /** How many tokens a statement may have. Default: no limit. */
  readonly maxStatementTokens?: number | undefined;
}

/** The parser's options for a policy. */
export function parseOptions({ language, capabilities, maxStatementTokens }: Reading) {
  return {
    regoVersion: language,
    ...(capabilities && { capabilities }),
    ...(maxStatementTokens !== undefined && { maxStatementTokens }),
  };
}
