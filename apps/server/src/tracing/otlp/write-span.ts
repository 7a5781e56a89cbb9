import { type Span, lowOf, parentOf } from '../span.ts'
import { type Attribute, attributesOf } from './attributes-of.ts'
import { field } from './fields.ts'
import type { ProtobufWriter } from './protobuf-writer.ts'

const STATUS_ERROR = 2
/** Flags of a span: sampled, and whether the parent is remote is known. */
const SAMPLED_LOCAL = 0x101
const SAMPLED_REMOTE = 0x301

export function writeSpan(writer: ProtobufWriter, span: Span): void {
  const start = writer.open(field.spans)
  writeFixed(writer, span)
  for (const attribute of attributesOf(span)) writeAttribute(writer, field.attributes, attribute)
  writer.close(start)
}

/** Everything but the attributes. Ids and times are first, so that their places depend on the parent alone. */
export function writeFixed(writer: ProtobufWriter, { shape, ids, index, startMs, endMs }: Span): void {
  writer.fourWords(field.traceId, ids.trace)
  writer.words(field.spanId, ids.high, lowOf(ids, index))
  const parent = parentOf(ids, index)
  if (parent !== undefined) writer.words(field.parentSpanId, parent[0], parent[1])
  writer.nanoseconds(field.startTime, startMs)
  writer.nanoseconds(field.endTime, endMs)
  if (ids.state !== undefined) writer.string(field.traceState, ids.state)
  writer.string(field.name, shape.name)
  writer.unsigned(field.kind, shape.kind)
  const status = writer.open(field.status)
  if (shape.isFailed) writer.unsigned(field.statusCode, STATUS_ERROR)
  writer.close(status)
  writer.fixed32(field.flags, index === 0 && ids.parent !== undefined ? SAMPLED_REMOTE : SAMPLED_LOCAL)
}

export function writeAttribute(writer: ProtobufWriter, number: number, attribute: Attribute): void {
  const { name, value, type } = attribute
  const start = writer.open(number)
  writer.string(field.key, name)
  const content = writer.open(field.value)
  if (typeof value === 'string') writer.string(field.stringValue, value)
  else if (type === 'whole') writer.signed(field.intValue, value)
  else writer.double(field.doubleValue, value)
  writer.close(content)
  writer.close(start)
}
