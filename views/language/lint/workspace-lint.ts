/** Findings of the linter in the files of a workspace: of each alone, and of all together. */

import { CompileErrors, findWarningSteps, isIgnored, type Warning } from '../../../compiler/index.js';
import { checkedSteps, inSlices, nextTurn, type Steps } from '../../../values/index.js';
import type { LintConfig } from '../../lint/config/lint-config.js';
import { aggregated } from '../../lint/frame/aggregate.js';
import { type Finding, faultKey } from '../../lint/frame/finding.js';
import { lintSources } from '../../lint/frame/lint.js';
import { foundAt } from '../../lint/frame/lint-file.js';
import type { ActiveRule, LintedFile, LintSource } from '../../lint/frame/lint-source.js';
import { findingOf, placed } from '../../lint/frame/run-rules.js';
import { anyKey } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetOfColumn } from '../workspace/positions.js';
import { pathOfUri } from '../workspace/uris.js';
import type { Workspace } from '../workspace/workspace.js';
import { documentsOf, givenValueAt } from './documents.js';

interface Linted {
  readonly file: LintedFile | undefined;
  readonly active: readonly ActiveRule[];
}

const nothing: readonly Finding[] = [];

/** The rules about names that no policy has. */
const resolving: ReadonlySet<string> = new Set(['unresolved-reference', 'unresolved-import']);

export class WorkspaceLint {
  readonly #workspace: Workspace;
  readonly config: LintConfig;
  readonly #linted = new WeakMap<PolicyFile, Linted>();
  /** The findings of the last run over all files, by file, and the revision that it was about. */
  #together: ReadonlyMap<string, readonly Finding[]> = new Map();
  #togetherRevision: number | undefined;

  constructor(workspace: Workspace, config: LintConfig) {
    this.#workspace = workspace;
    this.config = config;
  }

  /** The known findings in a file. */
  findingsOf(policy: PolicyFile): readonly Finding[] {
    const own = this.#linted.get(policy)?.file?.findings ?? nothing;
    return [...own, ...(this.#together.get(policy.name) ?? nothing)];
  }

  /** Lints a file alone, unless that was done. A file with errors of its syntax has no findings. */
  async lintAlone(policy: PolicyFile): Promise<void> {
    if (this.#linted.has(policy)) return;
    this.#linted.set(policy, await this.#lint(policy));
  }

  async #lint(policy: PolicyFile): Promise<Linted> {
    if (policy.parsed.problems.length > 0) return { file: undefined, active: [] };
    try {
      const { files, active } = await lintSources([sourceOf(policy)], { config: this.config });
      return { file: files[0], active };
    } catch (error) {
      if (error instanceof CompileErrors) return { file: undefined, active: [] };
      throw error;
    }
  }

  /**
   * Lints all files, each alone and then together, and lets other requests run in between. False
   * where the work was of no use any more before its end.
   *
   * @param linted is called after each file
   */
  async lintTogether(isStale: () => boolean, linted: (policy: PolicyFile) => void = () => {}): Promise<boolean> {
    for (const policy of [...this.#workspace.policies]) {
      if (!this.#linted.has(policy)) {
        await this.lintAlone(policy);
        await nextTurn();
        if (isStale()) return false;
      }
      linted(policy);
    }
    const { revision } = this.#workspace;
    if (revision === this.#togetherRevision) return true;
    const isOld = (): boolean => isStale() || revision !== this.#workspace.revision;
    try {
      const found = await inSlices(checkedSteps(this.#findTogether(), () => throwIf(isOld)));
      this.#together = Map.groupBy(found, ({ file = '' }) => file);
      this.#togetherRevision = revision;
      return true;
    } catch (error) {
      if (error instanceof StaleWork) return false;
      throw error;
    }
  }

  /** The findings of rules over several files. */
  *#findTogether(): Steps<readonly Finding[]> {
    const files: LintedFile[] = [];
    let active: readonly ActiveRule[] = [];
    for (const policy of this.#workspace.policies) {
      const linted = this.#linted.get(policy);
      if (linted?.file === undefined) continue;
      files.push(linted.file);
      ({ active } = linted);
    }
    const warnings = yield* this.#warnings(files, active);
    // The compiler tells more of a name that the linter misses too.
    const told = new Set(warnings.map(faultKey));
    const found = files.length > 1 ? yield* aggregated(files, active) : [];
    const left: Finding[] = [];
    for (const finding of found) {
      if (!told.has(faultKey(finding)) && !this.#isInData(finding)) left.push(finding);
      yield;
    }
    return [...left, ...warnings];
  }

  /** Whether a ref or an import that no policy resolves names a document of a file. */
  #isInData({ rule, file, row, col }: Finding): boolean {
    const policy = file === undefined ? undefined : this.#workspace.policyNamed(file);
    if (!resolving.has(rule) || policy === undefined || row === 0) return false;
    const from = offsetOfColumn(policy.source, row, col);
    let known: readonly string[] = [];
    for (const { start, path: own, target: path = own } of this.#workspace.names.of(policy).occurrences) {
      if (start < from || path?.[0] !== 'data') continue;
      // The names of a ref follow each other, each a step further.
      const goesOn = known.every((key, i) => key === path[i]) && path.at(-1) !== anyKey;
      if (!goesOn || path.length === known.length) break;
      known = path;
    }
    return known.length > 1 && givenValueAt(known, this.#workspace.dataFiles) !== undefined;
  }

  /** The warnings of the compiler, as findings. */
  *#warnings(files: readonly LintedFile[], active: readonly ActiveRule[]): Steps<Finding[]> {
    const rules = new Map(active.map((one) => [one.rule.name, one]));
    const byName = new Map(files.map((file) => [file.source.file, file]));
    const documents = documentsOf(this.#workspace.dataFiles);
    const warnings: readonly Warning[] = yield* findWarningSteps(this.#workspace.compiled, {
      documents,
      isLint: true,
      isPart: true,
    });
    return warnings.flatMap(({ code, message, location: { row }, span, mark }): Finding[] => {
      const file = byName.get(span.file);
      const one = rules.get(code);
      const policy = this.#workspace.policyNamed(span.file);
      if (file === undefined || policy === undefined || one === undefined) return [];
      if (one.setting.ignores(span.file) || isIgnored(file.directives, code, row)) return [];
      if (this.#workspace.isFaulty(policy, span.start)) return [];
      const lines = file.source.text.split(/\r?\n/);
      return [
        { ...findingOf(one.rule, one.setting.level, message), ...placed(span.file, foundAt(mark ?? span), lines) },
      ];
    });
  }
}

/** Ends work that is of no use any more. */
class StaleWork extends Error {}

function throwIf(isStale: () => boolean): void {
  if (isStale()) throw new StaleWork();
}

function sourceOf({ name, uri, text, regoVersion }: PolicyFile): LintSource {
  return { file: name, text, path: name, absolute: pathOfUri(uri), regoVersion };
}
