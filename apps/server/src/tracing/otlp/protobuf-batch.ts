import type { Span } from '../span.ts'
import { field } from './fields.ts'
import { ProtobufWriter, messageBytes } from './protobuf-writer.ts'
import type { Scope } from './scope.ts'
import type { SpanBatch } from './span-batch.ts'
import type { SpanTemplates } from './span-templates.ts'
import { writeAttribute, writeSpan } from './write-span.ts'

const FIRST_BYTES = 256 * 1024
/** A batch that had long texts does not keep its memory. */
const KEPT_BYTES_MAX = 1024 * 1024
/** Room for the head before the spans, besides resource and scope: two tags and lengths. */
const HEAD_BYTES = 24

/** An `ExportTraceServiceRequest` whose spans are encoded as they are added, so that no object outlives its call. */
export class ProtobufBatch implements SpanBatch {
  readonly contentType = 'application/x-protobuf'
  count = 0
  readonly #resource: Uint8Array
  readonly #scope: Uint8Array
  readonly #templates: SpanTemplates
  readonly #start: number
  #writer: ProtobufWriter

  constructor(scope: Scope, templates: SpanTemplates) {
    this.#resource = resourceBytes(scope)
    this.#scope = scopeBytes(scope)
    this.#templates = templates
    this.#start = HEAD_BYTES + this.#resource.length + this.#scope.length
    this.#writer = new ProtobufWriter(this.#start, FIRST_BYTES)
  }

  get bytes(): number {
    return this.#writer.at - this.#start
  }

  add(span: Span): void {
    this.count++
    const isWritten = this.#templates.of(span)?.write(this.#writer, span) ?? false
    if (!isWritten) writeSpan(this.#writer, span)
  }

  /** Writes the head directly before the spans, because its lengths are known only now. */
  finish(): Uint8Array {
    const scopeSpans = this.#scope.length + this.#writer.at - this.#start
    const inner = messageBytes(field.scopeSpans, scopeSpans, [])
    const outer = messageBytes(field.resourceSpans, this.#resource.length + inner.length + scopeSpans, [])
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

function resourceBytes({ attributes }: Scope): Uint8Array {
  const writer = new ProtobufWriter(0, 1024)
  for (const [name, value] of Object.entries(attributes))
    writeAttribute(writer, field.resourceAttributes, { name, value, type: 'text' })
  return messageBytes(field.resource, writer.at, writer.bytes(0))
}

function scopeBytes({ name, version }: Scope): Uint8Array {
  const writer = new ProtobufWriter(0, 256)
  writer.string(field.scopeName, name)
  writer.string(field.scopeVersion, version)
  return messageBytes(field.scope, writer.at, writer.bytes(0))
}
