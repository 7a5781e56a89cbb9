import { type AttributeValue, type Span, hex, lowOf } from '../span.ts'
import type { Scope } from './scope.ts'
import type { SpanBatch } from './span-batch.ts'

const STATUS_ERROR = 2

/** The same request in the JSON form of OTLP, for collectors that accept only that. */
export class JsonBatch implements SpanBatch {
  readonly contentType = 'application/json'
  readonly #head: string
  #spans: string[] = []

  constructor({ name, version, attributes }: Scope) {
    const resource = { attributes: Object.entries(attributes).map((pair) => attribute(...pair)) }
    const scope = JSON.stringify({ name, version })
    this.#head = `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${scope},"spans":[`
  }

  get count(): number {
    return this.#spans.length
  }

  add(span: Span): void {
    this.#spans.push(JSON.stringify(asJson(span)))
  }

  finish(): Uint8Array {
    return Buffer.from(`${this.#head}${this.#spans.join(',')}]}]}]}`)
  }

  clear(): void {
    this.#spans = []
  }
}

function asJson({ ids, index, name, kind, startMs, endMs, attributes, isFailed }: Span): object {
  const own = `${hex(ids.high)}${hex(ids.low)}`
  const callers = ids.parent && `${hex(ids.parent[0])}${hex(ids.parent[1])}`
  return {
    traceId: ids.trace.map(hex).join(''),
    spanId: `${hex(ids.high)}${hex(lowOf(ids, index))}`,
    traceState: ids.state,
    parentSpanId: index > 0 ? own : callers,
    name,
    kind,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributes.flatMap((value, at) =>
      at % 2 === 0 ? [] : [attribute(String(attributes[at - 1]), value)],
    ),
    status: isFailed ? { code: STATUS_ERROR } : { code: 0 },
  }
}

function attribute(key: string, value: AttributeValue): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } }
  return { key, value: Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value } }
}

function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)))
}
