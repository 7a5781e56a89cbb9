import { type AttributeValue, type Span, lowOf } from '../span.ts'
import { ProtobufWriter, varintBytes } from './protobuf-writer.ts'
import type { Scope } from './scope.ts'
import type { SpanBatch } from './span-batch.ts'

const FIRST_BYTES = 256 * 1024
/** A batch that had long texts does not keep its memory. */
const KEPT_BYTES_MAX = 1024 * 1024
/** Room for the head before the spans, besides resource and scope: two tags and lengths. */
const HEAD_BYTES = 24
const STATUS_ERROR = 2
/** Flags of a span: sampled, and whether the parent is remote is known. */
const SAMPLED_LOCAL = 0x101
const SAMPLED_REMOTE = 0x301

/** Field numbers of opentelemetry/proto/trace/v1/trace.proto, common/v1 and resource/v1. */
const field = {
  resourceSpans: 1,
  resource: 1,
  resourceAttributes: 1,
  scopeSpans: 2,
  scope: 1,
  scopeName: 1,
  scopeVersion: 2,
  spans: 2,
  traceId: 1,
  spanId: 2,
  traceState: 3,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  startTime: 7,
  endTime: 8,
  attributes: 9,
  status: 15,
  statusCode: 3,
  flags: 16,
  key: 1,
  value: 2,
  stringValue: 1,
  intValue: 3,
  doubleValue: 4,
} as const

/** An `ExportTraceServiceRequest` whose spans are encoded as they are added, so that no object outlives its call. */
export class ProtobufBatch implements SpanBatch {
  readonly contentType = 'application/x-protobuf'
  count = 0
  readonly #resource: Uint8Array
  readonly #scope: Uint8Array
  readonly #start: number
  #writer: ProtobufWriter

  constructor(scope: Scope) {
    this.#resource = resourceBytes(scope)
    this.#scope = scopeBytes(scope)
    this.#start = HEAD_BYTES + this.#resource.length + this.#scope.length
    this.#writer = new ProtobufWriter(this.#start, FIRST_BYTES)
  }

  add(span: Span): void {
    this.count++
    const writer = this.#writer
    const start = writer.open(field.spans)
    writeSpan(writer, span)
    writer.close(start)
  }

  /** Writes the head directly before the spans, because its lengths are known only now. */
  finish(): Uint8Array {
    const scopeSpans = this.#scope.length + this.#writer.at - this.#start
    const inner = message(field.scopeSpans, scopeSpans, [])
    const outer = message(field.resourceSpans, this.#resource.length + inner.length + scopeSpans, [])
    const head = Buffer.concat([outer, this.#resource, inner, this.#scope])
    const from = this.#start - head.length
    this.#writer.place(head, from)
    return this.#writer.bytes(from)
  }

  clear(): void {
    this.count = 0
    if (this.#writer.capacity > KEPT_BYTES_MAX) this.#writer = new ProtobufWriter(this.#start, FIRST_BYTES)
    this.#writer.at = this.#start
  }
}

function writeSpan(writer: ProtobufWriter, span: Span): void {
  const { ids, index, kind, attributes } = span
  writer.fourWords(field.traceId, ids.trace)
  writer.words(field.spanId, ids.high, lowOf(ids, index))
  if (ids.state !== undefined) writer.string(field.traceState, ids.state)
  if (index > 0) writer.words(field.parentSpanId, ids.high, ids.low)
  else if (ids.parent !== undefined) writer.words(field.parentSpanId, ids.parent[0], ids.parent[1])
  writer.string(field.name, span.name)
  writer.unsigned(field.kind, kind)
  writeTime(writer, field.startTime, span.startMs)
  writeTime(writer, field.endTime, span.endMs)
  for (let at = 0; at + 1 < attributes.length; at += 2)
    writeAttribute(writer, field.attributes, String(attributes[at]), attributes[at + 1] ?? '')
  const status = writer.open(field.status)
  if (span.isFailed) writer.unsigned(field.statusCode, STATUS_ERROR)
  writer.close(status)
  writer.fixed32(field.flags, index === 0 && ids.parent !== undefined ? SAMPLED_REMOTE : SAMPLED_LOCAL)
}

/** Nanoseconds do not fit into a double, so they are computed in two halves of 32 bits. */
function writeTime(writer: ProtobufWriter, number: number, ms: number): void {
  const whole = Math.floor(ms)
  const nanoseconds = Math.round((ms - whole) * 1e6)
  const upper = Math.floor(whole / 65_536) * 1e6
  const lower = (upper % 65_536) * 65_536 + (whole % 65_536) * 1e6 + nanoseconds
  const carry = Math.floor(lower / 0x1_0000_0000)
  writer.fixed64(number, Math.floor(upper / 65_536) + carry, lower - carry * 0x1_0000_0000)
}

function writeAttribute(writer: ProtobufWriter, number: number, name: string, value: AttributeValue): void {
  const start = writer.open(number)
  writer.string(field.key, name)
  const content = writer.open(field.value)
  if (typeof value === 'string') writer.string(field.stringValue, value)
  else if (Number.isSafeInteger(value)) writer.signed(field.intValue, value)
  else writer.double(field.doubleValue, value)
  writer.close(content)
  writer.close(start)
}

function resourceBytes({ attributes }: Scope): Uint8Array {
  const writer = new ProtobufWriter(0, 1024)
  for (const [name, value] of Object.entries(attributes))
    writeAttribute(writer, field.resourceAttributes, name, value)
  return message(field.resource, writer.at, writer.bytes(0))
}

function scopeBytes({ name, version }: Scope): Uint8Array {
  const writer = new ProtobufWriter(0, 256)
  writer.string(field.scopeName, name)
  writer.string(field.scopeVersion, version)
  return message(field.scope, writer.at, writer.bytes(0))
}

/** Tag and length of a message, with its content where that is at hand. */
function message(number: number, length: number, content: ArrayLike<number>): Uint8Array {
  const head = new Uint8Array(1 + varintBytes(length) + content.length)
  const delimited = 2
  head[0] = number * 8 + delimited
  let at = 1
  let rest = length
  for (; rest >= 0x80; rest >>>= 7) head[at++] = (rest & 0x7f) | 0x80
  head[at++] = rest
  head.set(content, at)
  return head
}
