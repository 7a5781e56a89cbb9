import { type Span, SpanKind, SpanStatusCode, type Tracer, context, trace } from '@opentelemetry/api'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { Call } from '../relay/call.ts'
import type { Log } from '../relay/log.ts'
import { genAiOperation, genAiProvider } from '../relay/metrics/gen-ai-names.ts'
import type { Outcome } from '../relay/outcome.ts'
import type { Held } from '../relay/stations/hold/held.ts'
import type { Choice } from '../relay/stations/route/choice.ts'
import type { CallTrace, SettledTrace } from '../relay/tracing.ts'
import { textAttributes } from './text-attributes.ts'

interface TraceParts {
  readonly call: Call
  readonly span: Span
  readonly tracer: Tracer
  readonly keepsTexts: boolean
  readonly log: Log
}

/** Longest name from a caller in an attribute. */
const NAME_CHARACTERS_MAX = 256

/**
 * The spans of a sampled call: the call, and in it the hold, each attempt and the settlement. Attributes have the
 * names of https://opentelemetry.io/docs/specs/semconv/gen-ai/.
 */
export class RecordedTrace implements CallTrace {
  readonly #parts: TraceParts
  #attempt: Span | undefined
  #texts: Promise<void> | undefined

  constructor(parts: TraceParts) {
    this.#parts = parts
    parts.span.setAttributes({
      'http.request.method': parts.call.request.method,
      'url.path': parts.call.request.url?.split('?')[0]?.slice(0, NAME_CHARACTERS_MAX),
      'tollgate.request_id': parts.call.id,
    })
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = (this.#attempt ?? this.#parts.span).spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  held(held: Held, now: number): void {
    const { span } = this.#parts
    const operation = genAiOperation(held.operation.name)
    const model = held.ask.model.slice(0, NAME_CHARACTERS_MAX)
    span.updateName(`${operation} ${model}`)
    span.setAttributes({
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'tollgate.group': held.group,
      'tollgate.user_id': held.caller.owner.id,
    })
    this.#child('hold', now - held.holdMs)
      .setAttribute('tollgate.held', Number(held.units))
      .end(this.#at(now))
  }

  attempting(held: Held, { channel, keyIndex }: Choice, now: number): void {
    const operation = genAiOperation(held.operation.name)
    this.#attempt = this.#child(`attempt ${operation}`, now, SpanKind.CLIENT).setAttributes({
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': genAiProvider(channel.provider.id),
      'gen_ai.request.model': held.ask.model.slice(0, NAME_CHARACTERS_MAX),
      'tollgate.channel_id': channel.id,
      'tollgate.key_index': keyIndex,
    })
  }

  attempted(outcome: Outcome, now: number): void {
    const span = this.#attempt
    this.#attempt = undefined
    if (span === undefined) return
    if (outcome.type === 'failed') {
      const { code, status } = outcome.failure
      span.setAttributes({
        'error.type': code.slice(0, NAME_CHARACTERS_MAX),
        'http.response.status_code': status,
      })
      span.setStatus({ code: SpanStatusCode.ERROR })
    } else {
      span.setAttributes({ 'gen_ai.response.model': outcome.upstreamModel, 'http.response.status_code': 200 })
    }
    span.end(this.#at(now))
  }

  settled(held: Held, { outcome, charged, startedAt, now }: SettledTrace): void {
    const { span, call } = this.#parts
    this.#child('settle', startedAt)
      .setAttribute('tollgate.charged', Number(charged ?? 0n))
      .end(this.#at(now))
    if (outcome.type === 'failed') {
      span.setAttribute('error.type', outcome.failure.code.slice(0, NAME_CHARACTERS_MAX))
      span.setStatus({ code: SpanStatusCode.ERROR })
      return
    }
    const { usage } = outcome.reading
    span.setAttributes({
      'gen_ai.provider.name': genAiProvider(outcome.channel.provider.id),
      'gen_ai.response.model': outcome.upstreamModel,
      'tollgate.outcome': outcome.ending,
      ...(usage && {
        'gen_ai.usage.input_tokens': inputTokens(usage),
        'gen_ai.usage.output_tokens': outputTokens(usage),
        'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
      }),
      ...(call.firstByteAt !== undefined && {
        'gen_ai.response.time_to_first_chunk': (call.firstByteAt - call.startedAt) / 1000,
      }),
    })
    if (this.#parts.keepsTexts) this.#texts = this.#addTexts(held, outcome)
  }

  end(now: number, code?: string): void {
    const { span, call } = this.#parts
    if (code !== undefined) {
      span.setAttribute('error.type', code)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    if (call.response.headersSent) span.setAttribute('http.response.status_code', call.response.statusCode)
    const at = this.#at(now)
    if (this.#texts === undefined) span.end(at)
    else void this.#texts.finally(() => span.end(at))
  }

  async #addTexts(held: Held, outcome: Extract<Outcome, { type: 'delivered' }>): Promise<void> {
    try {
      await held.ask.tree?.load()
      this.#parts.span.setAttributes(textAttributes(held, outcome.transcript))
    } catch (error) {
      this.#parts.log.warn(
        { error, requestId: held.call.id },
        'could not add the texts of a call to its trace',
      )
    }
  }

  #child(name: string, startedAt: number, kind = SpanKind.INTERNAL): Span {
    const { span, tracer } = this.#parts
    return tracer.startSpan(
      name,
      { kind, startTime: this.#at(startedAt) },
      trace.setSpan(context.active(), span),
    )
  }

  /** The wall time of a monotonic time. */
  #at(monotonicMs: number): [number, number] {
    const { startedMs, startedAt } = this.#parts.call
    const ms = startedMs + (monotonicMs - startedAt)
    return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]
  }
}
