/**
 * The payload of a frame is a JSON array that begins with its kind, followed by long texts as they are. The
 * separator is a control character, which JSON text escapes. A text that stands behind the array has
 * {@link RAW_TEXT} as its value within it.
 */
export const SEPARATOR = '\u001E'
export const RAW_TEXT = 0

/** First value of the array. */
export const KIND = { header: 0, price: 1, opened: 2, checkpoint: 3, settled: 4, released: 5 } as const

/**
 * Where else a line stands. A line that may not have reached the disk is written again into the next file. It
 * was folded if the position of any of these files has reached `end`.
 */
export interface LinePlace {
  readonly fileId: string
  readonly end: number
}

/** Stands for the price of a line whose price frame was damaged. */
export const LOST_PRICE_JSON = 'null'
