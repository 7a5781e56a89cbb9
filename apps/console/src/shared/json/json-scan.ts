export type JsonFaultKind =
  | 'value'
  | 'name'
  | 'quotes'
  | 'colon'
  | 'comma'
  | 'extra-comma'
  | 'open-text'
  | 'escape'
  | 'after-end'
  | 'depth'

/** The first syntax error in a JSON text, by offset. */
export interface JsonFault {
  readonly at: number
  readonly kind: JsonFaultKind
}

export type JsonPath = readonly (string | number)[]

export interface JsonScan {
  readonly fault: JsonFault | undefined
  /** The offset at which a value begins; `undefined` if the scan did not reach it. */
  readonly placeOf: (path: JsonPath) => number | undefined
}

const DEPTH_MAX = 200
const SPACE = /[ \t\r\n]*/y
const TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/iuy
const SIMPLE = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)(?=[\s,\]}]|$)/iy

class Mistake extends Error {
  readonly fault: JsonFault
  constructor(fault: JsonFault) {
    super(fault.kind)
    this.fault = fault
  }
}

/** Parses a text like `JSON.parse` and records the offset of every value. */
export function scanJson(text: string): JsonScan {
  const places = new Map<string, number>()
  const placeOf = (path: JsonPath) => places.get(JSON.stringify(path))
  try {
    scan(text, places)
    return { fault: undefined, placeOf }
  } catch (error) {
    if (error instanceof Mistake) return { fault: error.fault, placeOf }
    throw error
  }
}

function scan(text: string, places: Map<string, number>): void {
  let at = 0

  skipSpace()
  value([])
  skipSpace()
  if (at < text.length) refuse('after-end')

  function value(path: JsonPath): void {
    if (path.length > DEPTH_MAX) refuse('depth')
    places.set(JSON.stringify(path), at)
    const first = text[at]
    if (first === '{') return members((name) => value([...path, name]))
    if (first === '[') return items((index) => value([...path, index]))
    if (first === '"') return void word()
    if (!take(SIMPLE)) refuse(first === "'" ? 'quotes' : 'value')
  }

  function members(read: (name: string) => void): void {
    list('}', () => {
      const name = text[at] === '"' ? word() : refuse(text[at] === "'" ? 'quotes' : 'name')
      skipSpace()
      if (text[at] !== ':') refuse('colon')
      at++
      skipSpace()
      read(name)
    })
  }

  function items(read: (index: number) => void): void {
    list(']', read)
  }

  /** Parses from the opening to the closing bracket. */
  function list(end: string, read: (index: number) => void): void {
    at++
    skipSpace()
    if (text[at] === end) return void at++
    for (let index = 0; ; index++) {
      read(index)
      skipSpace()
      if (text[at] === end) return void at++
      if (text[at] !== ',') refuse('comma')
      const comma = at++
      skipSpace()
      if (text[at] === end) refuse('extra-comma', comma)
    }
  }

  function word(): string {
    const start = at
    take(TEXT)
    if (text[at] === '\\') refuse('escape')
    if (text[at] !== '"') refuse('open-text', start)
    at++
    return String(JSON.parse(text.slice(start, at)))
  }

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found !== null
  }

  function skipSpace(): void {
    take(SPACE)
  }

  function refuse(kind: JsonFaultKind, place = at): never {
    throw new Mistake({ at: place, kind })
  }
}
