/** Results as text: one line per test, details of failures, and counts. */
import { failureText } from '../../../engine/index.js';
import { benchmarkText } from '../../benchmark/benchmark.js';
import { explanationStyle } from '../../output/color.js';
import { durationText } from '../../output/go-text.js';
import type { OutcomeCounts, TestResult, TestStatus } from '../result.js';
import { eachSubResult, outcome, outcomeCounts, passed } from '../result.js';

interface PrettyOptions {
  readonly verbose: boolean;
  /** Whether failures are shown in detail. */
  readonly failures: boolean;
  readonly benchmark: boolean;
  /** Names in the format of Go's benchmark tools. */
  readonly goBench: boolean;
  readonly color: boolean;
}

const colors = { PASS: 'good', FAIL: 'bad', ERROR: 'bad', SKIPPED: 'dim' } as const;

const line = `${'-'.repeat(80)}\n`;

export class PrettyReport {
  readonly #options: PrettyOptions;
  readonly #write: (text: string) => void;
  readonly #results: TestResult[] = [];
  #dirty = false;
  #lastFile = '';

  constructor(options: PrettyOptions, write: (text: string) => void) {
    this.#options = options;
    this.#write = write;
  }

  /** Prints a result immediately. */
  add(result: TestResult): void {
    this.#results.push(result);
    if (passed(result) && this.#options.benchmark) {
      this.#dirty = true;
      this.#write(`${this.#benchmarkLine(result)}\n`);
    } else if (this.#options.verbose || !passed(result)) this.#show(result);
    if (result.error !== undefined) this.#write(`  ${result.error.message}\n`);
  }

  #show(result: TestResult): void {
    const { file, row } = result.location;
    if (this.#lastFile !== '' && this.#lastFile !== file) this.#write('\n');
    this.#lastFile = file;
    this.#dirty = true;
    this.#write(`${file}:${row}:\n${this.#painted(outcome(result), headline(result))}\n`);
    for (const [names, sub] of eachSubResult(result.subResults)) {
      if (sub.fail || this.#options.verbose)
        this.#write(`${'  '.repeat(names.length)}${sub.name}: ${sub.fail ? 'FAIL' : 'PASS'}\n`);
    }
    if (result.output !== '') this.#write(`\n${indented(result.output.trim())}\n\n`);
    for (const explanation of result.why ?? []) {
      const { question } = explanation;
      const title = result.subResults.size > 0 ? `${question}\n` : '';
      this.#write(
        `\n${indented(title + failureText(explanation, this.#options.color ? explanationStyle : undefined))}\n`,
      );
    }
    if (result.why !== undefined && result.why.length > 0) this.#write('\n');
  }

  /** A text in the colour of an outcome. */
  #painted(name: TestStatus, text: string): string {
    return this.#options.color ? explanationStyle[colors[name]](text) : text;
  }

  #benchmarkLine({ package: pkg, name, benchmark }: TestResult): string {
    if (benchmark === undefined) return '';
    const full = `${pkg}.${name}`;
    const shown = this.#options.goBench ? goBenchName(full) : full;
    return `${shown}\t${benchmarkText(benchmark)}`;
  }

  /** Prints details of failures, and the counts. */
  end(): void {
    const counts = outcomeCounts(this.#results);
    if (counts.FAIL > 0 && this.#options.failures) this.#showFailures();
    if (this.#dirty) this.#write(line);
    this.#write(outcomeCountsText(counts, (name, text) => this.#painted(name, text)));
  }

  #showFailures(): void {
    this.#write(`${line}FAILURES\n${line}`);
    for (const failure of this.#results.filter((result) => outcome(result) === 'FAIL')) {
      this.#write(`${headline(failure)}\n`);
      const { failedAt, trace } = failure;
      if (trace !== undefined) this.#write(`\n${trace.map((row) => `  ${row}\n`).join('')}`);
      for (const [names, sub] of eachSubResult(failure.subResults)) {
        if (!sub.fail || sub.subResults.size > 0) continue;
        this.#write(names.map((name, depth) => `${'  '.repeat(depth + 1)}${name}: FAIL\n`).join(''));
      }
      if (failedAt !== undefined)
        this.#write(`\n  ${failedAt.location.file}:${failedAt.location.row}:\n${indented(failedAt.text, 4)}\n`);
      this.#write('\n');
    }
  }
}

/** `FAIL: 1/3`, a line for each outcome that a test had. */
export function outcomeCountsText(
  counts: OutcomeCounts,
  painted = (_name: TestStatus, text: string): string => text,
): string {
  const outcomes = ['PASS', 'FAIL', 'SKIPPED', 'ERROR'] as const;
  const total = outcomes.reduce((sum, name) => sum + counts[name], 0);
  return outcomes
    .map((name) => (counts[name] > 0 ? `${painted(name, `${name}: ${counts[name]}/${total}`)}\n` : ''))
    .join('');
}

/** `data.authz_test.test_allowed: PASS (1.2ms)`. */
export function headline(result: TestResult): string {
  const name = `${result.package}.${result.name}: ${outcome(result)}`;
  return result.skip ? name : `${name} (${durationText(result.duration)})`;
}

function indented(text: string, by = 2): string {
  return text
    .split('\n')
    .map((row) => ' '.repeat(by) + row)
    .join('\n');
}

/** `BenchmarkDataAuthzTestAllowed` for `data.authz.test_allowed`. */
function goBenchName(name: string): string {
  const words = name.replaceAll('_', '.').split('.');
  return `Benchmark${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}`;
}
