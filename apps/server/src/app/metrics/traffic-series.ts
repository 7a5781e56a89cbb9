import type { Registry } from 'prom-client'
import type { BucketCounts } from '../../relay/metrics/bucket-counts.ts'
import type { CallMetrics } from '../../relay/metrics/call-metrics.ts'
import {
  DURATION_BOUNDS,
  FIRST_TOKEN_BOUNDS,
  TOKEN_BOUNDS,
  TOKEN_TIME_BOUNDS,
} from '../../relay/metrics/gen-ai-names.ts'
import type { Label, LabelTree } from '../../relay/metrics/label-tree.ts'
import { type HistogramSample, ReadCounter, ReadHistogram, type Sample } from './counted.ts'

/** Registers the series of what the relay counted. */
export function registerTraffic(registry: Registry, metrics: CallMetrics): void {
  const counter = <Counts>(
    { name, help, labelNames }: { name: string; help: string; labelNames: readonly string[] },
    tree: LabelTree<Counts>,
    value: (counts: Counts) => number,
  ) =>
    new ReadCounter({ name: `tollgate_${name}_total`, help, labelNames, registry }, () =>
      samples(tree, labelNames, value),
    )
  const ends = (name: string, help: string, member: 'calls' | 'quota' | 'cost') =>
    counter(
      { name, help, labelNames: [...metrics.labels, 'outcome'] },
      metrics.ends,
      (counts) => counts[member],
    )
  ends(
    'requests',
    'Calls that were settled. outcome: complete, broken by the upstream, cut when the balance ran out, displaced by calls that were left later, cancelled, or failed',
    'calls',
  )
  ends('quota_charged', 'Quota units charged for calls, before later corrections', 'quota')
  ends('cost', 'What calls cost the operator, in quota units, where channels have cost ratios', 'cost')
  const count = (name: string, help: string, tree: LabelTree<{ count: number }>, ...labelNames: string[]) =>
    counter({ name, help, labelNames }, tree, (counts) => counts.count)
  count(
    'upstream_requests',
    'Requests to upstreams. reason: ok, a code of the gateway, or upstream_error',
    metrics.attempts,
    'model',
    'channel',
    'status',
    'reason',
  )
  count('retries', 'Attempts after a failed one, by the failure', metrics.retries, 'reason')
  count(
    'resends',
    'Requests sent once more, because the vendor had closed the reused connection before it read them',
    metrics.resends,
    'channel',
  )
  count('refused', 'Requests that the gateway refused, by the code of the error', metrics.refusals, 'reason')
  count(
    'affinity',
    'Calls of sessions. result: bound to the channel and key of the session, moved to another, or new',
    metrics.affinity,
    'result',
  )
  registerGenAi(registry, metrics)
}

type Histograms = ReturnType<CallMetrics['genAi']['tree']['of']>

function registerGenAi(registry: Registry, { genAi }: CallMetrics): void {
  type Part = readonly [keyof Histograms, Readonly<Record<string, string>>]
  const histogram = (
    words: { name: string; help: string; bounds: readonly number[] },
    parts: readonly Part[],
  ) =>
    new ReadHistogram(
      { ...words, labelNames: labelNamesOf(parts), registry },
      function* read(): Generator<HistogramSample> {
        for (const [labels, histograms] of genAi.tree.entries())
          for (const [member, more] of parts)
            if (isUsed(histograms[member]))
              yield { labels: { ...labelled(GEN_AI_LABELS, labels), ...more }, counts: histograms[member] }
      },
    )
  histogram({ name: 'gen_ai_client_token_usage', help: 'Tokens of a call', bounds: TOKEN_BOUNDS }, [
    ['input', { gen_ai_token_type: 'input' }],
    ['output', { gen_ai_token_type: 'output' }],
  ])
  histogram(
    {
      name: 'gen_ai_server_request_duration_seconds',
      help: 'Duration of a call to its settlement. error_type: empty, or failed',
      bounds: DURATION_BOUNDS,
    },
    [
      ['served', {}],
      ['failed', { error_type: 'failed' }],
    ],
  )
  histogram(
    {
      name: 'gen_ai_server_time_to_first_token_seconds',
      help: 'Time until the first byte of a stream was sent to the caller',
      bounds: FIRST_TOKEN_BOUNDS,
    },
    [['first', {}]],
  )
  histogram(
    {
      name: 'gen_ai_server_time_per_output_token_seconds',
      help: 'Time for each output token of a stream after the first',
      bounds: TOKEN_TIME_BOUNDS,
    },
    [['each', {}]],
  )
}

function labelNamesOf(parts: readonly (readonly [string, Readonly<Record<string, string>>])[]): string[] {
  return [...new Set([...GEN_AI_LABELS, ...parts.flatMap(([, labels]) => Object.keys(labels))])]
}

const GEN_AI_LABELS = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model']

function isUsed({ counts }: BucketCounts): boolean {
  return counts.some((count) => count > 0)
}

function* samples<Counts>(
  tree: LabelTree<Counts>,
  names: readonly string[],
  value: (counts: Counts) => number,
): Generator<Sample> {
  for (const [labels, counts] of tree.entries())
    yield { labels: labelled(names, labels), value: value(counts) }
}

function labelled(names: readonly string[], labels: readonly Label[]): Record<string, Label> {
  return Object.fromEntries(names.map((name, index) => [name, labels[index] ?? '']))
}
