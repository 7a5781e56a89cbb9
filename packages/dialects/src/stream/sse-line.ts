/** A comment, which carries nothing; a blank line after it would end an event. */
export const commentLine = Buffer.from(': PING\n')
export const LF = 0x0a
export const CR = 0x0d
export const DATA = Buffer.from('data:')
export const EVENT_FIELD = Buffer.from('event:')
const SPACE = 0x20
const FIELDS = ['event:', 'id:', 'retry:'] as const

/** Every second line is blank, so the search is usually unnecessary. */
export function newlineFrom(bytes: Buffer, at: number): number {
  return bytes[at] === LF ? at : bytes.indexOf(LF, at)
}

/** Start of the last line that ends at `newline`. */
export function lastLine(bytes: Buffer, newline: number): number {
  return newline === 0 ? 0 : bytes.lastIndexOf(LF, newline - 1) + 1
}

export function lineEnd(bytes: Buffer, start: number, newline: number): number {
  return newline > start && bytes[newline - 1] === CR ? newline - 1 : newline
}

export function isData(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < DATA.length) return false
  for (let at = 0; at < DATA.length; at++) if (bytes[start + at] !== DATA[at]) return false
  return true
}

export function isOtherField(bytes: Buffer, start: number, end: number): boolean {
  const head = bytes.toString('latin1', start, Math.min(end, start + 6))
  return FIELDS.some((field) => head.startsWith(field))
}

/** Fast path: a blank line, or one with one space before its data and a blank line after it. */
export function isUsual(bytes: Buffer, start: number, newline: number): boolean {
  if (newline === start) return true
  const payload = start + DATA.length
  return bytes[newline + 1] === LF && bytes[payload] === SPACE && bytes[payload + 1] !== SPACE
}
