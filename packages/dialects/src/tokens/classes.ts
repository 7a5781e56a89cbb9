/**
 * Character classes, and the cost of one character of a class after one of another, in hundredths of a token.
 * Fitted by least squares to the o200k vocabulary on prose, code and data in thirty languages; docs/adr/0004
 * describes the method and the error.
 */
export const CLASS_START = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SPACE = 4
export const CLASS_BREAK = 5
export const CLASS_SIGN = 6
/** Chinese, Japanese and Korean characters, with their punctuation. */
const IDEOGRAPH = 7
/** Two bytes in UTF-8: accented Latin, Greek, Cyrillic, Hebrew, Arabic. */
const ALPHABET = 8
/**
 * Three bytes in UTF-8, with code points below the ideographs: Indic and Thai scripts, arrows, typographic
 * signs.
 */
const SCRIPT = 9
/** Four bytes in UTF-8: emoji and rare characters. */
const ASTRAL = 10
/** The remaining bytes or units of a character that has been counted already. */
export const CLASS_NONE = 15

const costRows = [
  [0, 96, 46, 26, 32, 52, 81, 71, 52, 49, 151],
  [0, 7, 34, 110, 37, 74, 85, 77, 121, 48, 150],
  [0, 60, 19, 181, 38, 38, 68, 78, 79, 80, 150],
  [0, 93, 208, 26, 91, 96, 90, 84, 40, 86, 150],
  [0, 44, 21, 129, 3, 78, 96, 70, 88, 49, 185],
  [0, 115, 137, 50, 66, 9, 61, 117, 0, 84, 150],
  [0, 57, 49, 129, 16, 0, 13, 133, 23, 106, 152],
  [0, 47, 44, 53, 62, 99, 12, 80, 35, 98, 150],
  [0, 39, 75, 30, 5, 47, 100, 75, 24, 54, 150],
  [0, 0, 44, 46, 0, 50, 48, 99, 69, 39, 150],
  [0, 20, 40, 35, 44, 41, 63, 76, 35, 80, 168],
] as const

/** Cost of class `next` after class `last`, at `last * 16 + next`. */
export const costs: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, at) => costRows[at >> 4]?.[at & 15] ?? 0,
)

/** Class by the first byte of a character in UTF-8. */
export const classOfByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return classOfAscii(byte)
  if (byte < 0xc0) return CLASS_NONE
  if (byte < 0xe0) return ALPHABET
  if (byte < 0xe3) return SCRIPT
  return byte < 0xf0 ? IDEOGRAPH : ASTRAL
})

/** Class by UTF-16 code unit; the second half of a surrogate pair belongs to the first. */
export const classOfUnit: Uint8Array = new Uint8Array(0x10000)
  .fill(IDEOGRAPH)
  .fill(SCRIPT, 0, 0x3000)
  .fill(ALPHABET, 0, 0x800)
  .fill(ASTRAL, 0xd800, 0xdc00)
  .fill(CLASS_NONE, 0xdc00, 0xe000)
classOfUnit.set(classOfByte.subarray(0, 0x80))

function classOfAscii(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return LOWER
  if (byte >= 0x41 && byte <= 0x5a) return UPPER
  if (byte >= 0x30 && byte <= 0x39) return DIGIT
  if (byte === 0x20) return SPACE
  return byte === 0x0a || byte === 0x0d || byte === 0x09 ? CLASS_BREAK : CLASS_SIGN
}
