import { LOG_COLUMNS } from '../rows/log-columns.ts'
import { FRAME_HEAD_BYTES, writeFrameHead } from './frame.ts'
import { KIND } from './record.ts'

export const JOURNAL_FORMAT = 1

/** The first frame of a file. Padded to {@link HEADER_BYTES}, because it is written after the head was encoded. */
export interface JournalHeader {
  readonly format: number
  readonly databaseId: string
  readonly instanceId: string
  readonly createdMs: number
  /** Names of the columns of log rows, in the order of their values. */
  readonly logColumns: readonly string[]
  /**
   * The file before this one of the same instance. Its lines from `offset` on are written again in this file,
   * so a reader stops there.
   */
  readonly continues?: { readonly fileId: string; readonly offset: number }
  /**
   * The number of frames behind the header that were written together with it: open calls and repeated lines.
   * If the last of them is missing, the process died while it wrote them; the file before is then complete
   * and this one is to be ignored.
   */
  readonly headFrames: number
}

/** Offset of the first frame behind the header. */
export const HEADER_BYTES = 2_048

export function newHeader(
  known: Pick<JournalHeader, 'databaseId' | 'instanceId' | 'createdMs' | 'continues' | 'headFrames'>,
): JournalHeader {
  return { format: JOURNAL_FORMAT, logColumns: LOG_COLUMNS, ...known }
}

export function writeHeader(buffer: Buffer, header: JournalHeader): void {
  const text = JSON.stringify([KIND.header, header])
  const payloadBytes = HEADER_BYTES - FRAME_HEAD_BYTES
  if (Buffer.byteLength(text) > payloadBytes) throw new RangeError('the header of a journal is too long')
  buffer.fill(' ', FRAME_HEAD_BYTES, HEADER_BYTES)
  buffer.write(text, FRAME_HEAD_BYTES)
  writeFrameHead(buffer, { at: 0, sequence: 0, payloadBytes })
}

/** Returns `undefined` if the payload is not a header. */
export function parseHeader(payload: Buffer): JournalHeader | undefined {
  if (!payload.toString('utf8', 0, 3).startsWith(`[${KIND.header},`)) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by writeHeader, verified by its CRC
  const [, header] = JSON.parse(payload.toString()) as [number, JournalHeader]
  return header
}
