type Kind = 'string' | 'hex' | 'enum' | 'int64' | 'fixed64' | 'fixed32' | 'double' | 'bool'

interface Field {
  readonly name: string
  readonly of: Kind | Message
  readonly isRepeated?: boolean
}

/** Fields by their number. */
type Message = Readonly<Record<number, Field>>

// https://github.com/open-telemetry/opentelemetry-proto, common/v1, resource/v1 and trace/v1
const value: Message = {
  1: { name: 'stringValue', of: 'string' },
  2: { name: 'boolValue', of: 'bool' },
  3: { name: 'intValue', of: 'int64' },
  4: { name: 'doubleValue', of: 'double' },
}
const attribute: Message = { 1: { name: 'key', of: 'string' }, 2: { name: 'value', of: value } }
const span: Message = {
  1: { name: 'traceId', of: 'hex' },
  2: { name: 'spanId', of: 'hex' },
  3: { name: 'traceState', of: 'string' },
  4: { name: 'parentSpanId', of: 'hex' },
  5: { name: 'name', of: 'string' },
  6: { name: 'kind', of: 'enum' },
  7: { name: 'startTimeUnixNano', of: 'fixed64' },
  8: { name: 'endTimeUnixNano', of: 'fixed64' },
  9: { name: 'attributes', of: attribute, isRepeated: true },
  10: { name: 'droppedAttributesCount', of: 'int64' },
  12: { name: 'droppedEventsCount', of: 'int64' },
  14: { name: 'droppedLinksCount', of: 'int64' },
  15: { name: 'status', of: { 2: { name: 'message', of: 'string' }, 3: { name: 'code', of: 'enum' } } },
  16: { name: 'flags', of: 'fixed32' },
}
const scopeSpans: Message = {
  1: {
    name: 'scope',
    of: { 1: { name: 'name', of: 'string' }, 2: { name: 'version', of: 'string' } },
  },
  2: { name: 'spans', of: span, isRepeated: true },
}
const resource: Message = {
  1: { name: 'attributes', of: attribute, isRepeated: true },
  2: { name: 'droppedAttributesCount', of: 'int64' },
}
const resourceSpans: Message = {
  1: { name: 'resource', of: resource },
  2: { name: 'scopeSpans', of: scopeSpans, isRepeated: true },
}
const exportRequest: Message = { 1: { name: 'resourceSpans', of: resourceSpans, isRepeated: true } }

/** Wire types by the kinds of fields; messages are delimited. */
const WIRE: Readonly<Record<Kind, number>> = {
  enum: 0,
  int64: 0,
  bool: 0,
  fixed64: 1,
  double: 1,
  string: 2,
  hex: 2,
  fixed32: 5,
}
const DELIMITED = 2

/** Decodes an `ExportTraceServiceRequest` into the JSON form of OTLP. Throws if the bytes are not one. */
export function decodeTraces(bytes: Uint8Array): unknown {
  return decode(Buffer.from(bytes), exportRequest)
}

function decode(bytes: Buffer, message: Message): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { name, isRepeated, of } of Object.values(message)) {
    if (isRepeated === true) found[name] = []
    else if (of === 'enum') found[name] = 0
  }
  const reader = new Reader(bytes)
  while (reader.at < bytes.length) {
    const tag = Number(reader.varint())
    const field = message[tag >> 3]
    if (field === undefined) throw new Error(`unknown field ${tag >> 3}`)
    const { name, of, isRepeated } = field
    if ((tag & 7) !== (typeof of === 'string' ? WIRE[of] : DELIMITED))
      throw new Error(`${name} has wire type ${tag & 7}`)
    const decoded = typeof of === 'string' ? reader.scalar(of) : decode(reader.delimited(), of)
    const earlier = found[name]
    if (isRepeated === true && Array.isArray(earlier)) earlier.push(decoded)
    else found[name] = decoded
  }
  return found
}

class Reader {
  at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  varint(): bigint {
    let result = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1).readUInt8()
      result |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return result
    }
    throw new Error('a number is too long')
  }

  delimited(): Buffer {
    return this.#take(Number(this.varint()))
  }

  scalar(kind: Kind): unknown {
    if (kind === 'string') return new TextDecoder('utf-8', { fatal: true }).decode(this.delimited())
    if (kind === 'hex') return this.delimited().toString('hex')
    if (kind === 'int64') return String(BigInt.asIntN(64, this.varint()))
    if (kind === 'enum') return Number(this.varint())
    if (kind === 'bool') return this.varint() !== 0n
    if (kind === 'fixed64') return String(this.#take(8).readBigUInt64LE())
    return kind === 'double' ? this.#take(8).readDoubleLE() : this.#take(4).readUInt32LE()
  }

  #take(length: number): Buffer {
    const end = this.at + length
    if (end > this.#bytes.length) throw new Error('the message is cut off')
    const taken = this.#bytes.subarray(this.at, end)
    this.at = end
    return taken
  }
}
