import { BucketCounts } from './bucket-counts.ts'
import { type LabelledCall, modelLabel } from './call-labels.ts'
import {
  DURATION_BOUNDS,
  FIRST_TOKEN_BOUNDS,
  TOKEN_BOUNDS,
  TOKEN_TIME_BOUNDS,
  genAiOperation,
  genAiProvider,
} from './gen-ai-names.ts'
import { LabelTree } from './label-tree.ts'

interface Measured {
  readonly providerId: string
  readonly isFailed: boolean
  readonly seconds: number
  /** Until the first byte of a stream was sent to the caller. */
  readonly firstSeconds: number | undefined
  readonly tokens: { readonly input: number; readonly output: number } | undefined
}

/** What the OpenTelemetry conventions measure of calls to models, by operation, provider and model. */
export class GenAiMetrics {
  readonly tree: LabelTree<ReturnType<typeof openHistograms>>

  constructor(max: number) {
    this.tree = new LabelTree({ width: 3, max, open: openHistograms })
  }

  ended(held: LabelledCall, { providerId, isFailed, seconds, firstSeconds, tokens }: Measured): void {
    const counts = this.tree.of([
      genAiOperation(held.operation.name),
      genAiProvider(providerId),
      modelLabel(held),
    ])
    if (isFailed) return counts.failed.add(seconds)
    counts.served.add(seconds)
    if (tokens !== undefined) {
      counts.input.add(tokens.input)
      counts.output.add(tokens.output)
    }
    if (firstSeconds === undefined) return
    counts.first.add(firstSeconds)
    if (tokens !== undefined && tokens.output > 1)
      counts.each.add((seconds - firstSeconds) / (tokens.output - 1))
  }
}

function openHistograms() {
  return {
    served: new BucketCounts(DURATION_BOUNDS),
    failed: new BucketCounts(DURATION_BOUNDS),
    input: new BucketCounts(TOKEN_BOUNDS),
    output: new BucketCounts(TOKEN_BOUNDS),
    first: new BucketCounts(FIRST_TOKEN_BOUNDS),
    each: new BucketCounts(TOKEN_TIME_BOUNDS),
  }
}
