/** How to read a text. */

/** The parts of OPA's capabilities that the parser uses. */
export interface SyntaxCapabilities {
  readonly future_keywords?: readonly string[] | undefined;
  readonly features?: readonly string[] | undefined;
}

export interface ParseOptions {
  /** How to read a module that does not say so itself. Default: `v1`. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
  /** Default: everything that this release knows. */
  readonly capabilities?: SyntaxCapabilities | undefined;
  /** Read `# METADATA` comments. Default: true. */
  readonly processAnnotations?: boolean | undefined;
  /** Keywords to know without an import, such as `in` for a version 0 query. */
  readonly futureKeywords?: readonly string[] | undefined;
  /** Know the keywords of `import future.keywords` without it. */
  readonly allFutureKeywords?: boolean | undefined;
  /**
   * How many tokens a statement of a module, or a query, may have. Other limits follow from it.
   * Default: no limit.
   */
  readonly maxStatementTokens?: number | undefined;
  /** How many errors to report; 0 is all. Default: all. */
  readonly errorLimit?: number | undefined;
}
