import type { ValueRange } from '../json-value.ts'

/**
 * Nearly all lines of a stream have the same bytes around the name of their model: from their start to the end of
 * the name, or from the name to their end. A line with these bytes there has its name in the same place, whatever
 * else it contains, because no line break is inside a JSON string and a quotation mark inside one is escaped.
 * Texts have a character for each byte: they are cut and joined faster than buffers.
 */
export class NameNeedle {
  readonly #needle: string
  readonly #replacement: string
  readonly #isHead: boolean

  /** `line`: with its line break. `newName`: takes the place of the bytes at `value`. */
  constructor(line: string, { start, end }: ValueRange, newName: string) {
    const comma = line.lastIndexOf(',', start)
    // Without other brackets, the last one closes the object that has the name.
    this.#isHead = comma < 0 || !/^,"[^{}[\]\\]*\}\s*\n$/.test(line.slice(comma)) || hasFewBefore(line, start)
    const [from, to] = this.#isHead ? [0, end] : [comma, line.length]
    const before = this.#isHead ? '\n' : ''
    this.#needle = before + line.slice(from, to)
    this.#replacement = before + line.slice(from, start) + newName + line.slice(end, to)
  }

  /** `text`: whole lines. Returns `undefined` unless each of its lines has the name at this place, or is blank. */
  rename(text: string): string | undefined {
    const parts = (this.#isHead ? `\n${text}` : text).split(this.#needle)
    const isWhole = this.#isHead
      ? parts.every((part, at) => (at === 0 ? part === '' : isRestOfLine(part)))
      : parts.every((part, at) => (at === parts.length - 1 ? part.trim() === '' : isStartOfLine(part)))
    if (!isWhole || parts.length === 1) return undefined
    const renamed = parts.join(this.#replacement)
    return this.#isHead ? renamed.slice(1) : renamed
  }
}

/** Whether the name comes so early that the bytes before it are hardly those of an answer. */
function hasFewBefore(line: string, start: number): boolean {
  return start < HEAD_BYTES && !line.slice(0, start).includes('[')
}

const HEAD_BYTES = 256

function isRestOfLine(part: string): boolean {
  const newline = part.indexOf('\n')
  return newline >= part.length - 3 && part.slice(newline).trim() === ''
}

function isStartOfLine(part: string): boolean {
  const newline = part.lastIndexOf('\n')
  return newline <= 1 && part.slice(0, newline + 1).trim() === ''
}
