/** Metrics in Prometheus' text format, and as JSON in the layout of its messages, for status. */
import type { PlainObject, Value } from '../../runtime/values/value.js';

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export type Labels = Readonly<Record<string, string>>;

/** The name, type and help of samples. */
export interface Family {
  readonly name: string;
  readonly type: keyof typeof typeNumbers;
  readonly help: string;
}

/** The numbers of types in Prometheus' messages. */
const typeNumbers = { counter: 0, gauge: 1, histogram: 4 } as const;

/** A family with its lines; empty without lines. */
export function familyText({ name, type, help }: Family, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

export function sampleLine(name: string, labels: Labels, value: number): string {
  const shown = Object.entries(labels).map(([label, text]) => `${label}="${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`);
  return `${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}\n`;
}

export function familyJson({ name, type, help }: Family, metric: readonly PlainObject[]): PlainObject {
  return { name, help, type: typeNumbers[type], metric };
}

export function sampleJson({ type }: Family, labels: Labels, value: number): PlainObject {
  return { label: labelsJson(labels), [type]: { value } };
}

function labelsJson(labels: Labels): Value {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}

/** The counts of a histogram, which can be added to another's. */
export interface HistogramState {
  readonly labels: Labels;
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** Counts of quantities below each of several bounds. */
export class Histogram {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** @param bounds in increasing order */
  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(quantity: number): void {
    this.#sum += quantity;
    this.#count++;
    for (let i = this.#bounds.length - 1; i >= 0 && quantity <= this.#bounds[i]!; i--) this.#counts[i]!++;
  }

  get state(): HistogramState {
    return { labels: this.labels, counts: [...this.#counts], sum: this.#sum, count: this.#count };
  }

  /** Adds the counts of a histogram with the same bounds. */
  add({ counts, sum, count }: HistogramState): void {
    counts.forEach((n, i) => {
      this.#counts[i]! += n;
    });
    this.#sum += sum;
    this.#count += count;
  }

  lines(name: string): readonly string[] {
    const { labels } = this;
    return [
      ...this.#bounds.map((bound, i) => sampleLine(`${name}_bucket`, { ...labels, le: boundText(bound) }, this.#counts[i]!)),
      sampleLine(`${name}_bucket`, { ...labels, le: '+Inf' }, this.#count),
      sampleLine(`${name}_sum`, labels, this.#sum),
      sampleLine(`${name}_count`, labels, this.#count),
    ];
  }

  toJson(): PlainObject {
    const bucket = this.#bounds.map((bound, i) => ({ cumulative_count: this.#counts[i]!, upper_bound: bound }));
    return { label: labelsJson(this.labels), histogram: { sample_count: this.#count, sample_sum: this.#sum, bucket } };
  }
}

/** A bound as Go prints it: `1e-06`, `0.0001`. */
function boundText(bound: number): string {
  return bound < 1e-4 ? bound.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(bound);
}
