import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { Call } from '../relay/call.ts'
import type { Log } from '../relay/log.ts'
import { genAiOperation, genAiProvider } from '../relay/metrics/gen-ai-names.ts'
import type { Outcome } from '../relay/outcome.ts'
import type { Held } from '../relay/stations/hold/held.ts'
import type { Choice } from '../relay/stations/route/choice.ts'
import type { CallTrace, SettledTrace } from '../relay/tracing.ts'
import type { SpanQueue } from './export/span-queue.ts'
import {
  type AttributeValue,
  CLIENT,
  INTERNAL,
  SERVER,
  type Span,
  type TraceIds,
  hex,
  lowOf,
} from './span.ts'
import { textAttributes } from './text-attributes.ts'

/** What the traces of all calls share. */
export interface TraceParts {
  readonly queue: Pick<SpanQueue, 'add'>
  readonly keepsTexts: boolean
  readonly log: Log
}

/** Longest name from a caller in an attribute. */
const NAME_CHARACTERS_MAX = 256

/**
 * The spans of a sampled call: the call, and in it the hold, each attempt and the settlement. They are kept as
 * plain values until the call ends, and encoded then. Attributes have the names of
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/.
 */
export class RecordedTrace implements CallTrace {
  readonly #call: Call
  readonly #ids: TraceIds
  readonly #parts: TraceParts
  readonly #children: Span[] = []
  readonly #attributes: AttributeValue[]
  #name = 'call'
  #failure: string | undefined
  #attempt: Attempt | undefined
  #texts: Promise<void> | undefined

  constructor(call: Call, ids: TraceIds, parts: TraceParts) {
    this.#call = call
    this.#ids = ids
    this.#parts = parts
    const { method = '', url = '' } = call.request
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    this.#attributes = [
      'http.request.method',
      method,
      'url.path',
      path.slice(0, NAME_CHARACTERS_MAX),
      'tollgate.request_id',
      call.id,
    ]
  }

  get traceparent(): string {
    const { trace, high } = this.#ids
    // The attempt under way becomes the next child.
    const low = lowOf(this.#ids, this.#attempt === undefined ? 0 : this.#children.length + 1)
    return `00-${trace.map(hex).join('')}-${hex(high)}${hex(low)}-01`
  }

  held(held: Held, now: number): void {
    const operation = genAiOperation(held.operation.name)
    const model = modelOf(held)
    this.#name = `${operation} ${model}`
    this.#attributes.push(
      'gen_ai.operation.name',
      operation,
      'gen_ai.request.model',
      model,
      'tollgate.group',
      held.group,
      'tollgate.user_id',
      held.caller.owner.id,
    )
    this.#child({
      name: 'hold',
      startedAt: now - held.holdMs,
      now,
      attributes: ['tollgate.held', Number(held.units)],
    })
  }

  attempting(held: Held, { channel, keyIndex }: Choice, now: number): void {
    const operation = genAiOperation(held.operation.name)
    this.#attempt = {
      name: `attempt ${operation}`,
      startedAt: now,
      attributes: [
        'gen_ai.operation.name',
        operation,
        'gen_ai.provider.name',
        genAiProvider(channel.provider.id),
        'gen_ai.request.model',
        modelOf(held),
        'tollgate.channel_id',
        channel.id,
        'tollgate.key_index',
        keyIndex,
      ],
    }
  }

  attempted(outcome: Outcome, now: number): void {
    const attempt = this.#attempt
    if (attempt === undefined) return
    this.#attempt = undefined
    const isFailed = outcome.type === 'failed'
    if (isFailed) {
      const { code, status } = outcome.failure
      attempt.attributes.push('error.type', code.slice(0, NAME_CHARACTERS_MAX))
      attempt.attributes.push('http.response.status_code', status)
    } else {
      attempt.attributes.push('gen_ai.response.model', outcome.upstreamModel)
      attempt.attributes.push('http.response.status_code', 200)
    }
    this.#child({ ...attempt, now, kind: CLIENT, isFailed })
  }

  settled(held: Held, { outcome, charged, startedAt, now }: SettledTrace): void {
    this.#child({
      name: 'settle',
      startedAt,
      now,
      attributes: ['tollgate.charged', Number(charged ?? 0n)],
    })
    if (outcome.type === 'failed') {
      this.#failure = outcome.failure.code
      return
    }
    const { firstByteAt, startedAt: callStartedAt } = this.#call
    const attributes = this.#attributes
    attributes.push(
      'gen_ai.provider.name',
      genAiProvider(outcome.channel.provider.id),
      'gen_ai.response.model',
      outcome.upstreamModel,
      'tollgate.outcome',
      outcome.ending,
    )
    const { usage } = outcome.reading
    if (usage !== undefined) {
      attributes.push('gen_ai.usage.input_tokens', inputTokens(usage))
      attributes.push('gen_ai.usage.output_tokens', outputTokens(usage))
      attributes.push('gen_ai.usage.cache_read.input_tokens', usage.cacheRead)
    }
    if (firstByteAt !== undefined)
      attributes.push('gen_ai.response.time_to_first_chunk', (firstByteAt - callStartedAt) / 1000)
    if (this.#parts.keepsTexts) this.#texts = this.#addTexts(held, outcome)
  }

  end(now: number, code?: string): void {
    const { response } = this.#call
    this.#failure = code ?? this.#failure
    if (response.headersSent) this.#attributes.push('http.response.status_code', response.statusCode)
    if (this.#texts === undefined) this.#send(now)
    else void this.#texts.finally(() => this.#send(now))
  }

  async #addTexts(held: Held, outcome: Extract<Outcome, { type: 'delivered' }>): Promise<void> {
    try {
      await held.ask.tree?.load()
      for (const pair of Object.entries(textAttributes(held, outcome.transcript)))
        this.#attributes.push(...pair)
    } catch (error) {
      this.#parts.log.warn(
        { error, requestId: held.call.id },
        'could not add the texts of a call to its trace',
      )
    }
  }

  #child({ name, startedAt, now, attributes, kind = INTERNAL, isFailed = false }: Child): void {
    this.#children.push({
      ids: this.#ids,
      index: this.#children.length + 1,
      name,
      kind,
      startMs: this.#wallMs(startedAt),
      endMs: this.#wallMs(now),
      attributes,
      isFailed,
    })
  }

  #send(now: number): void {
    if (this.#failure !== undefined)
      this.#attributes.push('error.type', this.#failure.slice(0, NAME_CHARACTERS_MAX))
    const root: Span = {
      ids: this.#ids,
      index: 0,
      name: this.#name,
      kind: SERVER,
      startMs: this.#call.startedMs,
      endMs: this.#wallMs(now),
      attributes: this.#attributes,
      isFailed: this.#failure !== undefined,
    }
    this.#parts.queue.add([root, ...this.#children])
  }

  /** The wall time of a monotonic time. */
  #wallMs(monotonicMs: number): number {
    return this.#call.startedMs + (monotonicMs - this.#call.startedAt)
  }
}

interface Attempt {
  readonly name: string
  readonly startedAt: number
  readonly attributes: AttributeValue[]
}

interface Child extends Attempt {
  readonly now: number
  readonly kind?: number
  readonly isFailed?: boolean
}

function modelOf({ ask }: Held): string {
  return ask.model.slice(0, NAME_CHARACTERS_MAX)
}
