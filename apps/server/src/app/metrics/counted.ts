import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client'
import type { BucketCounts } from '../../relay/metrics/bucket-counts.ts'

/** Metrics whose values are counted elsewhere and read at a scrape. */

type Labels = Readonly<Record<string, string | number>>

interface Words {
  readonly name: string
  readonly help: string
  readonly registry: Registry
  readonly labelNames: readonly string[]
}

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export class ReadCounter extends Counter {
  readonly #read: () => Iterable<Sample>

  constructor({ registry, labelNames, ...words }: Words, read: () => Iterable<Sample>) {
    super({ ...words, labelNames: [...labelNames], registers: [registry] })
    this.#read = read
  }

  override async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    return { ...(await super.get()), values: [...this.#read()].map(asValue) }
  }
}

export class ReadGauge extends Gauge {
  readonly #read: () => Iterable<Sample>

  constructor({ registry, labelNames, ...words }: Words & Aggregated, read: () => Iterable<Sample>) {
    super({ ...words, labelNames: [...labelNames], registers: [registry] })
    this.#read = read
  }

  override async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    return { ...(await super.get()), values: [...this.#read()].map(asValue) }
  }
}

interface Aggregated {
  readonly aggregator: 'sum' | 'min' | 'max'
}

export interface HistogramSample {
  readonly labels: Labels
  readonly counts: BucketCounts
}

type HistogramLine = MetricValue<string> & { readonly metricName?: string }

export class ReadHistogram extends Histogram {
  readonly #name: string
  /** Supplies the parts besides the values, because `get` of this class cannot call the inherited one. */
  readonly #empty: Histogram
  readonly #read: () => Iterable<HistogramSample>

  constructor(
    { registry, labelNames, bounds, ...words }: Words & { readonly bounds: readonly number[] },
    read: () => Iterable<HistogramSample>,
  ) {
    const shape = { ...words, labelNames: [...labelNames], buckets: [...bounds] }
    super({ ...shape, registers: [registry] })
    this.#name = words.name
    this.#empty = new Histogram({ ...shape, registers: [] })
    this.#read = read
  }

  override async get(): Promise<MetricObjectWithValues<HistogramLine>> {
    const values = [...this.#read()].flatMap((sample) => linesOf(this.#name, sample))
    return { ...(await this.#empty.get()), values }
  }

  /** prom-client prints histograms through this method instead of `get`. */
  getForPromString(): ReturnType<ReadHistogram['get']> {
    return this.get()
  }
}

/** The buckets, which Prometheus wants cumulative, the sum and the count. */
function linesOf(name: string, { labels, counts }: HistogramSample): HistogramLine[] {
  let count = 0
  const buckets = [...counts.counts].map((more, index) => {
    count += more
    const le = counts.bounds[index] ?? '+Inf'
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: counts.sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

function asValue({ labels, value }: Sample): MetricValue<string> {
  return { labels, value }
}
