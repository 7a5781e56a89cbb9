const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
/** Nesting of a response; what is deeper is not valid. */
const DEPTH_MAX = 128

/** Classes of bytes outside strings. */
const OTHER = 0
const SPACE = 1
const LITERAL = 2
const classes = new Uint8Array(256)
for (const byte of Buffer.from(' \t\r\n')) classes[byte] = SPACE
for (const byte of Buffer.from('+-.0123456789eEtrufalsn')) classes[byte] = LITERAL

const LITERAL_PATTERN = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/
const LITERAL_BYTES_MAX = 64

/** What may come next. */
type ExpectedToken = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing'

/** Positions are those in the piece that is being read. */
export interface WalkListener {
  /** A string or a part of one, without its quotes and with its escapes. */
  text(bytes: Buffer, start: number, end: number, isName: boolean): void
  /** A string is over. */
  textEnd(isName: boolean): void
  /** A value begins, at this depth; the outermost one has depth 0. */
  valueStart(at: number, depth: number, first: number): void
  /** A value is over; `at` is the position behind it. */
  valueEnd(at: number, depth: number): void
}

/**
 * Walks through a JSON text that arrives in pieces, in a few nanoseconds a byte and without keeping any. Structure
 * and literals are checked; the contents of strings are not.
 */
export class JsonWalk {
  readonly #listener: WalkListener
  /** Whether the value that is open at each depth is an object. */
  readonly #isObject = new Uint8Array(DEPTH_MAX + 1)
  #depth = 0
  #expected: ExpectedToken = 'value'
  #isInString = false
  #isName = false
  #isEscaped = false
  #literal = ''
  #isBroken = false

  constructor(listener: WalkListener) {
    this.#listener = listener
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** One whole value has been read, and nothing but space after it. */
  get isComplete(): boolean {
    return !this.#isBroken && this.#expected === 'nothing'
  }

  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && !this.#isBroken) {
      if (this.#isInString) at = this.#readText(bytes, at)
      else if (this.#literal !== '') at = this.#readLiteral(bytes, at)
      else at = this.#readOutside(bytes, at)
    }
  }

  #readOutside(bytes: Buffer, start: number): number {
    let at = start
    while (classes[bytes[at] ?? OTHER] === SPACE) at++
    const byte = bytes[at]
    if (byte === undefined) return at
    if (classes[byte] === LITERAL) return this.#openLiteral(bytes, at)
    switch (byte) {
      case QUOTE:
        return this.#openString(at)
      case 0x7b:
      case 0x5b:
        return this.#open(at, byte)
      case 0x7d:
      case 0x5d:
        return this.#close(at, byte === 0x7d)
      case 0x3a:
        if (this.#expected !== 'colon') this.#isBroken = true
        this.#expected = 'value'
        return at + 1
      case 0x2c:
        if (this.#expected !== 'comma-or-end') this.#isBroken = true
        this.#expected = this.#isObject[this.#depth] === 1 ? 'name' : 'value'
        return at + 1
      default:
        this.#isBroken = true
        return at
    }
  }

  #openString(at: number): number {
    this.#isName = this.#expected === 'name' || this.#expected === 'name-or-end'
    if (!this.#isName) this.#startValue(at, QUOTE)
    this.#isInString = true
    return at + 1
  }

  #readText(bytes: Buffer, start: number): number {
    let from = start
    if (this.#isEscaped) {
      this.#isEscaped = false
      from++
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, from)
      const end = quote === -1 ? bytes.length : quote
      const isEscaped = isOdd(bytes, from, end)
      if (quote !== -1 && isEscaped) {
        from = quote + 1
        continue
      }
      if (end > start) this.#listener.text(bytes, start, end, this.#isName)
      this.#isEscaped = isEscaped
      if (quote === -1) return end
      this.#isInString = false
      this.#listener.textEnd(this.#isName)
      if (this.#isName) this.#expected = 'colon'
      else this.#endValue(end + 1)
      return end + 1
    }
  }

  #openLiteral(bytes: Buffer, at: number): number {
    // Most values of embeddings are numbers with a comma behind them, whole in one piece.
    this.#startValue(at, bytes[at] ?? 0)
    let end = at
    while (classes[bytes[end] ?? OTHER] === LITERAL) end++
    if (end === bytes.length || !isNumber(bytes, at, end)) return this.#readLiteral(bytes, at)
    this.#endValue(end)
    return end
  }

  #readLiteral(bytes: Buffer, start: number): number {
    let at = start
    while (classes[bytes[at] ?? OTHER] === LITERAL) at++
    this.#literal += bytes.toString('latin1', start, Math.min(at, start + LITERAL_BYTES_MAX + 1))
    if (this.#literal.length > LITERAL_BYTES_MAX) this.#isBroken = true
    // The next piece may go on with it.
    if (at === bytes.length && this.#depth > 0) return at
    if (!LITERAL_PATTERN.test(this.#literal)) this.#isBroken = true
    this.#literal = ''
    this.#endValue(at)
    return at
  }

  #open(at: number, byte: number): number {
    this.#startValue(at, byte)
    this.#depth++
    if (this.#depth > DEPTH_MAX) this.#isBroken = true
    const isObject = byte === 0x7b
    this.#isObject[this.#depth] = isObject ? 1 : 0
    this.#expected = isObject ? 'name-or-end' : 'value-or-end'
    return at + 1
  }

  #close(at: number, isObject: boolean): number {
    const mayEnd =
      this.#expected === 'comma-or-end' || this.#expected === (isObject ? 'name-or-end' : 'value-or-end')
    if (this.#depth === 0 || !mayEnd || (this.#isObject[this.#depth] === 1) !== isObject) {
      this.#isBroken = true
      return at
    }
    this.#depth--
    this.#endValue(at + 1)
    return at + 1
  }

  #startValue(at: number, first: number): void {
    if (this.#expected !== 'value' && this.#expected !== 'value-or-end') this.#isBroken = true
    else this.#listener.valueStart(at, this.#depth, first)
  }

  #endValue(at: number): void {
    this.#listener.valueEnd(at, this.#depth)
    this.#expected = this.#depth === 0 ? 'nothing' : 'comma-or-end'
  }
}

function isNumber(bytes: Buffer, start: number, end: number): boolean {
  let at = bytes[start] === MINUS ? start + 1 : start
  const whole = at
  at = digitsEnd(bytes, at)
  if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return false
  if (bytes[at] === POINT) {
    const fraction = at + 1
    at = digitsEnd(bytes, fraction)
    if (at === fraction) return false
  }
  // One with an exponent is rare and is checked otherwise.
  return at === end
}

function digitsEnd(bytes: Buffer, start: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at++
  return at
}

/** Whether an odd number of backslashes stands before `end`. */
function isOdd(bytes: Buffer, from: number, end: number): boolean {
  let at = end
  while (at > from && bytes[at - 1] === BACKSLASH) at--
  return (end - at) % 2 === 1
}
