import type { Usage } from '@tollgate/dialects/usage'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import { isProblemCode } from '@tollgate/problems/problem'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import type { AffinityResult } from '../affinity/result.ts'
import type { Call } from '../call.ts'
import type { StreamEnd } from '../outcome.ts'
import type { AttemptFailure } from '../stations/attempt/failure.ts'
import { CALL_LABELS, type CallLabel, type LabelledCall, labelReader, modelLabel } from './call-labels.ts'
import { ChargeNotes } from './charge-notes.ts'
import { GenAiMetrics } from './gen-ai-metrics.ts'
import { MemberSightings } from './member-sightings.ts'
import { ModelResults } from './model-results.ts'
import { RecentCalls } from './recent-calls.ts'
import { LabelTree } from './label-tree.ts'

/** Combinations of labels of one metric, as in the OpenTelemetry SDKs; the rest is counted as `other`. */
export const SERIES_MAX = 2_000

export interface EndedCall {
  readonly call: Call
  readonly channel: RosterChannel | undefined
  readonly outcome: StreamEnd | 'failed'
  /** Absent where nothing is charged. */
  readonly usage?: Usage | undefined
  readonly units?: bigint
  readonly cost?: bigint | undefined
  readonly isStream: boolean
  /** The failure is the caller's own. */
  readonly isCallersFault?: boolean
  readonly affinity?: AffinityResult | undefined
  /** Monotonic time of the settlement. */
  readonly now: number
}

interface Ends {
  calls: number
  quota: number
  cost: number
}

interface Count {
  count: number
}

/** Counts what calls, attempts and refusals did since the start; `/metrics` makes series of it at a scrape. */
export class CallMetrics {
  readonly labels: readonly CallLabel[]
  readonly ends: LabelTree<Ends>
  readonly attempts = countTree(4)
  readonly retries = countTree(1)
  readonly resends = countTree(1)
  readonly refusals = countTree(1)
  readonly affinity = countTree(1)
  /** For the status page. */
  readonly models = new ModelResults()
  /** For the operations page. */
  readonly members = new MemberSightings()
  readonly charges = new ChargeNotes()
  readonly recent = new RecentCalls()
  readonly genAi = new GenAiMetrics(SERIES_MAX)
  readonly #read: ReturnType<typeof labelReader>

  constructor(labels: readonly CallLabel[] = CALL_LABELS.slice(0, 4)) {
    this.labels = CALL_LABELS.filter((name) => labels.includes(name))
    this.#read = labelReader(this.labels)
    this.ends = new LabelTree({
      width: this.labels.length + 1,
      max: SERIES_MAX,
      open: () => ({ calls: 0, quota: 0, cost: 0 }),
    })
  }

  /** One attempt ended; `failure` is absent where the upstream delivered. */
  attempted(held: LabelledCall, channelId: number, failure?: Pick<AttemptFailure, 'status' | 'code'>): void {
    const labels = [
      modelLabel(held),
      channelId,
      failure?.status ?? 200,
      failure ? knownReason(failure.code) : 'ok',
    ]
    this.attempts.of(labels).count++
  }

  /** Another attempt follows one that failed with this code. */
  retried(code: string): void {
    this.retries.of([knownReason(code)]).count++
  }

  /** A request was sent once more, because the vendor had closed its connection before. */
  resent(channelId: number): void {
    this.resends.of([channelId]).count++
  }

  /** A call that had a hold was settled. */
  ended(held: LabelledCall, end: EndedCall): void {
    const counts = this.ends.of(this.#read(held, end.channel?.id ?? 0, end.outcome))
    counts.calls++
    this.recent.add(end.now - end.call.startedAt, end.outcome === 'failed' || end.outcome === 'broken')
    if (end.isCallersFault !== true)
      this.models.add(modelLabel(held), end.outcome !== 'failed' && end.outcome !== 'broken')
    counts.quota += Number(end.units ?? 0n)
    counts.cost += Number(end.cost ?? 0n)
    if (end.affinity !== undefined) this.affinity.of([end.affinity]).count++
    if (end.channel === undefined) return
    const { call, now, usage } = end
    const tokens = usage && { input: inputTokens(usage), output: outputTokens(usage) }
    this.genAi.ended(held, {
      providerId: end.channel.provider.id,
      isFailed: end.outcome === 'failed',
      seconds: (now - call.startedAt) / 1000,
      firstSeconds:
        end.isStream && call.firstByteAt !== undefined
          ? (call.firstByteAt - call.startedAt) / 1000
          : undefined,
      tokens,
    })
  }

  /** The gateway answered a call with this problem without having held quota for it. */
  refused(code: string): void {
    this.refusals.of([code]).count++
  }
}

function countTree(width: number): LabelTree<Count> {
  return new LabelTree({ width, max: SERIES_MAX, open: () => ({ count: 0 }) })
}

/** An upstream can write anything as its error code, so only the gateway's own codes are labels. */
function knownReason(code: string): string {
  return isProblemCode(code) ? code : 'upstream_error'
}
