/**
 * Metrics in Prometheus' text format, and for status in the JSON of its messages: protobuf's JSON,
 * which writes counts of 64 bits as strings.
 */
import type { PlainObject, Value } from '../../../values/index.js';

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export type Labels = Readonly<Record<string, string>>;

/** The name, type and help of samples. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
}

export interface MetricSample {
  readonly labels: Labels;
  readonly value: number;
}

/** A family as it is now: a histogram has histograms, another family samples. */
export interface Metric {
  readonly family: MetricFamily;
  readonly samples: readonly MetricSample[];
  readonly histograms: readonly Histogram[];
}

/** A counter or a gauge with one value. */
export function singleMetric(family: MetricFamily, value: number, labels: Labels = {}): Metric {
  return { family, samples: [{ labels, value }], histograms: [] };
}

/** The text of metrics; those without samples are left out. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('');
}

function metricText({ family: { name, type, help }, samples, histograms }: Metric): string {
  const lines = [
    ...samples.map(({ labels, value }) => sampleLine(name, labels, value)),
    ...histograms.flatMap((histogram) => histogram.lines(name)),
  ];
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function sampleLine(name: string, labels: Labels, value: number): string {
  const shown = Object.entries(labels).map(
    ([label, text]) => `${label}="${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  );
  return `${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}\n`;
}

/** Metrics by their names; those without samples are left out. */
export function metricsJson(metrics: readonly Metric[]): PlainObject {
  return Object.fromEntries(
    metrics.flatMap(({ family: { name, type, help }, samples, histograms }) => {
      const metric = [
        ...samples.map(({ labels, value }) => ({ label: labelsJson(labels), [type]: { value } })),
        ...histograms.map((histogram) => histogram.toJson()),
      ];
      return metric.length === 0 ? [] : [[name, { name, help, type: type.toUpperCase(), metric }]];
    }),
  );
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
  readonly #buckets: readonly { readonly bound: number; count: number }[];
  #sum = 0;
  #count = 0;

  /** @param bounds in increasing order */
  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#buckets = bounds.map((bound) => ({ bound, count: 0 }));
  }

  observe(quantity: number): void {
    this.#sum += quantity;
    this.#count++;
    for (const bucket of this.#buckets) if (quantity <= bucket.bound) bucket.count++;
  }

  get state(): HistogramState {
    return { labels: this.labels, counts: this.#counts, sum: this.#sum, count: this.#count };
  }

  /** Counts between the bounds, of which the last one is above all. */
  get buckets(): { readonly boundaries: number[]; readonly counts: number[] } {
    const counts: number[] = [];
    let below = 0;
    for (const count of [...this.#counts, this.#count]) {
      counts.push(count - below);
      below = count;
    }
    return { boundaries: this.#buckets.map(({ bound }) => bound), counts };
  }

  get #counts(): number[] {
    return this.#buckets.map(({ count }) => count);
  }

  /** Adds the counts of a histogram with the same bounds. */
  add({ counts, sum, count }: HistogramState): void {
    for (const [i, bucket] of this.#buckets.entries()) bucket.count += counts[i] ?? 0;
    this.#sum += sum;
    this.#count += count;
  }

  lines(name: string): readonly string[] {
    const { labels } = this;
    return [
      ...this.#buckets.map(({ bound, count }) =>
        sampleLine(`${name}_bucket`, { ...labels, le: boundText(bound) }, count),
      ),
      sampleLine(`${name}_bucket`, { ...labels, le: '+Inf' }, this.#count),
      sampleLine(`${name}_sum`, labels, this.#sum),
      sampleLine(`${name}_count`, labels, this.#count),
    ];
  }

  toJson(): PlainObject {
    const bucket = this.#buckets.map(({ bound, count }) => ({ cumulativeCount: String(count), upperBound: bound }));
    return {
      label: labelsJson(this.labels),
      histogram: { sampleCount: String(this.#count), sampleSum: this.#sum, bucket },
    };
  }
}

/** A bound as Go prints it: `1e-06`, `0.0001`. */
function boundText(bound: number): string {
  return bound < 1e-4 ? bound.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(bound);
}
