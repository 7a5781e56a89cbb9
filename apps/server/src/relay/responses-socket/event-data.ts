const LF = 0x0a
const DATA = 'data:'

/** Splits a stream of server-sent events into their data, one text for each data line. */
export class EventData {
  readonly #bytesMax: number
  #pieces: Buffer[] = []
  #bytes = 0

  /** `bytesMax`: the longest line; a longer one throws a `RangeError`. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  push(chunk: Buffer): string[] {
    const found: string[] = []
    let at = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
      const data = dataOf(this.#lineWith(chunk.subarray(at, end)))
      if (data !== undefined) found.push(data)
      at = end + 1
    }
    if (at < chunk.length) this.#keep(chunk.subarray(at))
    return found
  }

  /** The data of a last line that has no line break. */
  end(): string[] {
    const data = dataOf(this.#lineWith(Buffer.alloc(0)))
    return data === undefined ? [] : [data]
  }

  #lineWith(rest: Buffer): string {
    const line = this.#pieces.length === 0 ? rest : Buffer.concat([...this.#pieces, rest])
    this.#pieces = []
    this.#bytes = 0
    return line.toString()
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > this.#bytesMax) throw new RangeError('an event is too long')
    this.#pieces.push(piece)
  }
}

/** The JSON object in a line; `undefined` for every other line, `[DONE]` included. */
function dataOf(line: string): string | undefined {
  if (!line.startsWith(DATA)) return undefined
  const data = line.slice(DATA.length).trim()
  return data.startsWith('{') ? data : undefined
}
