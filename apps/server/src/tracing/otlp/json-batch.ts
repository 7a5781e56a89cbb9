import { type Span, hex, lowOf, parentOf } from '../span.ts'
import { type Attribute, attributesOf } from './attributes-of.ts'
import type { Scope } from './scope.ts'
import type { SpanBatch } from './span-batch.ts'

const STATUS_ERROR = 2

/** The same request in the JSON form of OTLP, for collectors that accept only that. */
export class JsonBatch implements SpanBatch {
  readonly contentType = 'application/json'
  bytes = 0
  readonly #head: string
  #spans: string[] = []

  constructor({ name, version, attributes }: Scope) {
    const pairs = Object.entries(attributes).map(([key, value]) => ({
      name: key,
      value,
      type: 'text' as const,
    }))
    const resource = { attributes: pairs.map(attribute) }
    const scope = JSON.stringify({ name, version })
    this.#head = `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${scope},"spans":[`
  }

  get count(): number {
    return this.#spans.length
  }

  add(span: Span): void {
    const text = JSON.stringify(asJson(span))
    this.#spans.push(text)
    this.bytes += text.length
  }

  finish(): Uint8Array {
    return Buffer.from(`${this.#head}${this.#spans.join(',')}]}]}]}`)
  }

  clear(): void {
    this.#spans = []
    this.bytes = 0
  }
}

function asJson(span: Span): object {
  const { shape, ids, index, startMs, endMs } = span
  const parent = parentOf(ids, index)
  return {
    traceId: ids.trace.map(hex).join(''),
    spanId: `${hex(ids.high)}${hex(lowOf(ids, index))}`,
    traceState: ids.state,
    parentSpanId: parent && parent.map(hex).join(''),
    name: shape.name,
    kind: shape.kind,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(span).map(attribute),
    status: shape.isFailed ? { code: STATUS_ERROR } : { code: 0 },
  }
}

function attribute({ name: key, value, type }: Attribute): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } }
  return { key, value: type === 'whole' ? { intValue: value } : { doubleValue: value } }
}

function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)))
}
