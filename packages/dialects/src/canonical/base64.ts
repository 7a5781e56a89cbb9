const NOT_STANDARD = /[^A-Za-z0-9+/]/
const NO_BASE64 = /[^A-Za-z0-9+/_\-=\s]/
const PADDING_MAX = 2

/**
 * Standard base64, padded, of the same bytes: the only form that every vendor reads. protobuf's JSON form allows
 * either alphabet, padded or not; MIME encoders break lines; a stream joins pieces with a padding each. Text that
 * is no base64 is returned as it is, for the vendor to judge.
 */
export function toStandardBase64(text: string): string {
  if (isStandardBase64(text)) return text
  if (NO_BASE64.test(text)) return text
  const pieces = text.replaceAll(/\s+/g, '').split(/=+/)
  // Four characters carry three bytes; one alone carries none.
  if (pieces.some((piece) => piece.length % 4 === 1)) return text
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}

export function isStandardBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false
  const end = text.search(NOT_STANDARD)
  return end === -1 || (end >= text.length - PADDING_MAX && /^=+$/.test(text.slice(end)))
}
