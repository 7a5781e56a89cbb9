/**
 * Decides what happens to a data line: it is forwarded, dropped, or replaced. `end`: it is dropped, and after
 * it only the blank line is sent that ends the previous frame.
 */
export type LineVerdict = 'keep' | 'drop' | 'end' | Buffer

export interface SseEditorOptions {
  /** Receives the payload of one data line, without its line break. */
  readonly onData: (bytes: Buffer, start: number, end: number, line: DataLine) => LineVerdict
  /** Receives the pieces of a data line that is too long to buffer, starting with the field name. */
  readonly onLongLine?: (bytes: Buffer, start: number, end: number) => void
  /** Called when such a line is complete, or when the stream ends in it. */
  readonly onLongLineEnd?: () => void
  /** Maximum bytes of an unfinished line that are buffered. */
  readonly bufferedBytesMax: number
  /**
   * Whether an `event:` line is sent only together with its data, never before it, and not at all if the data
   * is replaced. Default false: it is treated like any other line.
   */
  readonly pairsEventLines?: boolean
  /**
   * Whether only lines `data: …` and blank ones are sent, for callers that fail on comments and other fields.
   * Default false.
   */
  readonly sendsDataOnly?: boolean
}

/** Facts about a data line besides its payload. */
export interface DataLine {
  /** Whether the stream ended before the line break. */
  readonly isCutOff: boolean
  /** Whether an `event:` line precedes it and is sent with it; only set if event lines are paired. */
  readonly isNamed: boolean
}

/** A data line for each combination, so that none is created per line. */
export const dataLines = {
  plain: { isCutOff: false, isNamed: false },
  named: { isCutOff: false, isNamed: true },
  cutOff: { isCutOff: true, isNamed: false },
  namedAndCutOff: { isCutOff: true, isNamed: true },
} as const satisfies Record<string, DataLine>
