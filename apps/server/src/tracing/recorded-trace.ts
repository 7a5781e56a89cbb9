import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { Call } from '../relay/call.ts'
import type { Log } from '../relay/log.ts'
import { genAiOperation, genAiProvider } from '../relay/metrics/gen-ai-names.ts'
import type { Outcome } from '../relay/outcome.ts'
import type { Held } from '../relay/stations/hold/held.ts'
import type { Choice } from '../relay/stations/route/choice.ts'
import type { CallTrace, SettledTrace } from '../relay/tracing.ts'
import { shapes } from './call-shapes.ts'
import type { SpanQueue } from './export/span-queue.ts'
import type { AttributeValue, Span, SpanShape, TraceIds } from './span.ts'
import { textAttributes } from './text-attributes.ts'
import { traceparentOf } from './trace-ids.ts'

/** What the traces of all calls share. */
export interface TraceParts {
  readonly queue: Pick<SpanQueue, 'add'>
  readonly keepsTexts: boolean
  readonly log: Log
}

export interface TraceStart {
  readonly ids: TraceIds
  /** The flag in the header `traceparent` of requests to upstreams. */
  readonly isSampled: boolean
}

/** Longest name from a caller in an attribute. */
const NAME_CHARACTERS_MAX = 256

type Delivered = Extract<Outcome, { type: 'delivered' }>

/**
 * The spans of a sampled call: the call, and in it the hold, each attempt and the settlement. Until the call ends
 * only their times and what differs from call to call are kept; see `SpanShape`.
 */
export class RecordedTrace implements CallTrace {
  readonly #call: Call
  readonly #ids: TraceIds
  readonly #isSampled: boolean
  readonly #parts: TraceParts
  readonly #children: Span[] = []
  #held: Held | undefined
  #attempt: Attempt | undefined
  #delivered: Delivered | undefined
  #failure: string | undefined
  #more: AttributeValue[] | undefined
  #texts: Promise<void> | undefined

  constructor(call: Call, { ids, isSampled }: TraceStart, parts: TraceParts) {
    this.#call = call
    this.#ids = ids
    this.#isSampled = isSampled
    this.#parts = parts
  }

  get traceparent(): string {
    // The attempt under way becomes the next child.
    const index = this.#attempt === undefined ? 0 : this.#children.length + 1
    return traceparentOf(this.#ids, { index, isSampled: this.#isSampled })
  }

  held(held: Held, now: number): void {
    this.#held = held
    this.#child(shapes.hold, { startedAt: now - held.holdMs, now, values: [Number(held.units)] })
  }

  attempting(held: Held, choice: Choice, now: number): void {
    this.#attempt = { held, choice, startedAt: now }
  }

  attempted(outcome: Outcome, now: number): void {
    if (this.#attempt === undefined) return
    const { held, choice, startedAt } = this.#attempt
    this.#attempt = undefined
    const { channel, keyIndex } = choice
    const isFailed = outcome.type === 'failed'
    const { upstreamRequestId } = held.call
    const shape = shapes.attempt.of([
      genAiOperation(held.operation.name),
      modelOf(held),
      genAiProvider(channel.provider.id),
      isFailed ? undefined : outcome.upstreamModel,
      isFailed ? outcome.failure.status : 200,
      isFailed ? shortened(outcome.failure.code) : undefined,
      upstreamRequestId?.length ?? 0,
    ])
    const values: AttributeValue[] = [channel.id, keyIndex]
    if (upstreamRequestId !== undefined) values.push(upstreamRequestId)
    this.#child(shape, { startedAt, now, values })
  }

  settled(held: Held, { outcome, charged, startedAt, now }: SettledTrace): void {
    this.#child(shapes.settle, { startedAt, now, values: [Number(charged ?? 0n)] })
    if (outcome.type === 'failed') {
      this.#failure = outcome.failure.code
      return
    }
    this.#delivered = outcome
    if (this.#parts.keepsTexts) this.#texts = this.#addTexts(held, outcome)
  }

  end(now: number, code?: string): void {
    this.#failure = code ?? this.#failure
    if (this.#texts === undefined) this.#send(now)
    else void this.#texts.finally(() => this.#send(now))
  }

  async #addTexts(held: Held, outcome: Delivered): Promise<void> {
    try {
      await held.ask.tree?.load()
      this.#more = Object.entries(textAttributes(held, outcome.transcript)).flat()
    } catch (error) {
      this.#parts.log.warn(
        { error, requestId: held.call.id },
        'could not add the texts of a call to its trace',
      )
    }
  }

  #child(shape: SpanShape, { startedAt, now, values }: Measured): void {
    this.#children.push({
      shape,
      ids: this.#ids,
      index: this.#children.length + 1,
      startMs: this.#wallMs(startedAt),
      endMs: this.#wallMs(now),
      values,
      more: undefined,
    })
  }

  #send(now: number): void {
    const root: Span = {
      shape: this.#shape(),
      ids: this.#ids,
      index: 0,
      startMs: this.#call.startedMs,
      endMs: this.#wallMs(now),
      values: this.#values(),
      more: this.#more,
    }
    this.#parts.queue.add([root, ...this.#children])
  }

  #shape(): SpanShape {
    const { request, response, firstByteAt } = this.#call
    const { method = '', url = '' } = request
    const held = this.#held
    const delivered = this.#delivered
    return shapes.call.of([
      method,
      pathOf(url),
      held && genAiOperation(held.operation.name),
      held && modelOf(held),
      held?.group,
      delivered && genAiProvider(delivered.channel.provider.id),
      delivered?.upstreamModel,
      delivered?.ending,
      delivered?.reading.usage !== undefined,
      delivered !== undefined && firstByteAt !== undefined,
      response.headersSent ? response.statusCode : undefined,
      this.#failure === undefined ? undefined : shortened(this.#failure),
    ])
  }

  /** Of the slots of {@link #shape}. */
  #values(): AttributeValue[] {
    const { id, firstByteAt, startedAt } = this.#call
    const values: AttributeValue[] = [id]
    if (this.#held !== undefined) values.push(this.#held.caller.owner.id)
    if (this.#delivered === undefined) return values
    const { usage } = this.#delivered.reading
    if (usage !== undefined) values.push(inputTokens(usage), outputTokens(usage), usage.cacheRead)
    if (firstByteAt !== undefined) values.push((firstByteAt - startedAt) / 1000)
    return values
  }

  /** The wall time of a monotonic time. */
  #wallMs(monotonicMs: number): number {
    return this.#call.startedMs + (monotonicMs - this.#call.startedAt)
  }
}

interface Attempt {
  readonly held: Held
  readonly choice: Choice
  readonly startedAt: number
}

interface Measured {
  readonly startedAt: number
  readonly now: number
  readonly values: readonly AttributeValue[]
}

function modelOf({ ask }: Held): string {
  return shortened(ask.model)
}

function shortened(name: string): string {
  return name.length > NAME_CHARACTERS_MAX ? name.slice(0, NAME_CHARACTERS_MAX) : name
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return shortened(query < 0 ? url : url.slice(0, query))
}
