import { type AttributeValue, type Slot, type Span, lowOf, parentOf } from '../span.ts'
import { pairsIn } from './attributes-of.ts'
import { field } from './fields.ts'
import { ProtobufWriter, messageBytes } from './protobuf-writer.ts'
import { writeAttribute, writeFixed } from './write-span.ts'

/** Tag and length of an id, tag of a time. */
const ID_HEAD = 2
const TIME_HEAD = 1
const TRACE_ID = ID_HEAD
const SPAN_ID = TRACE_ID + 16 + ID_HEAD
const PARENT_ID = SPAN_ID + 8 + ID_HEAD
const START_WITH_PARENT = PARENT_ID + 8 + TIME_HEAD
const START_WITHOUT_PARENT = SPAN_ID + 8 + TIME_HEAD
const TIME = 8
/** The length of a whole number in its slot; protocol buffers permit more bytes than a number needs. */
const WHOLE = 5
const WHOLE_MAX = 0xffff_ffff

interface Place {
  readonly type: Slot['type']
  readonly at: number
  readonly length: number
}

/** An encoded span; for each other one of the same shape its ids, times and slots are replaced. */
export class SpanTemplate {
  readonly #bytes: Uint8Array
  /** Where the content begins, after tag and length. */
  readonly #content: number
  readonly #hasParent: boolean
  readonly #places: readonly Place[]

  constructor(span: Span) {
    const writer = new ProtobufWriter(0, 1024)
    writeFixed(writer, span)
    for (const attribute of pairsIn(span.shape.attributes))
      writeAttribute(writer, field.attributes, attribute)
    const places = span.shape.slots.map((slot, index) => writeSlot(writer, slot, span.values[index]))
    this.#bytes = messageBytes(field.spans, writer.at, writer.bytes(0))
    this.#content = this.#bytes.length - writer.at
    this.#hasParent = parentOf(span.ids, span.index) !== undefined
    this.#places = places
  }

  /** Writes nothing and returns false if a value does not fit into its slot. */
  write(writer: ProtobufWriter, { ids, index, startMs, endMs, values }: Span): boolean {
    const start = writer.append(this.#bytes)
    const content = start + this.#content
    for (let slot = 0; slot < this.#places.length; slot++) {
      const place = this.#places[slot]
      if (place !== undefined && fill(writer, content, { place, value: values[slot] })) continue
      writer.at = start
      return false
    }
    const { trace, high } = ids
    for (let word = 0; word < trace.length; word++)
      writer.setWord(content + TRACE_ID + 4 * word, trace[word] ?? 0)
    writer.setWord(content + SPAN_ID, high)
    writer.setWord(content + SPAN_ID + 4, lowOf(ids, index))
    const parent = parentOf(ids, index)
    if (parent !== undefined) {
      writer.setWord(content + PARENT_ID, parent[0])
      writer.setWord(content + PARENT_ID + 4, parent[1])
    }
    const times = content + (this.#hasParent ? START_WITH_PARENT : START_WITHOUT_PARENT)
    writer.setNanoseconds(times, startMs)
    writer.setNanoseconds(times + TIME + TIME_HEAD, endMs)
    return true
  }
}

/** The value of an attribute is the last of its bytes. */
function writeSlot(writer: ProtobufWriter, { name, type }: Slot, value: AttributeValue | undefined): Place {
  const text = 'x'.repeat(typeof value === 'string' ? value.length : 0)
  const example = { text, fraction: 0, whole: WHOLE_MAX }[type]
  const length = { text: text.length, fraction: 8, whole: WHOLE }[type]
  writeAttribute(writer, field.attributes, { name, type, value: example })
  return { type, length, at: writer.at - length }
}

function fill(
  writer: ProtobufWriter,
  content: number,
  { place, value }: { readonly place: Place; readonly value: AttributeValue | undefined },
): boolean {
  const at = content + place.at
  if (typeof value === 'string')
    return place.type === 'text' && value.length === place.length && writer.setText(at, value)
  if (value === undefined) return false
  if (place.type === 'fraction') writer.setDouble(at, value)
  else if (place.type === 'whole' && value >>> 0 === value) writer.setWhole(at, value)
  else return false
  return true
}
