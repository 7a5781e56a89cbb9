import { crc32 } from 'node:zlib'

/**
 * A frame is magic, CRC32, sequence number and length of the payload, each an unsigned 32-bit little-endian
 * integer, and the payload in UTF-8. The CRC covers everything behind itself. UTF-8 has no byte 0xff, so a
 * payload never contains the magic.
 */
export const FRAME_MAGIC = Buffer.of(0xff, 0x54, 0x47, 0x4a)
const MAGIC_NUMBER = FRAME_MAGIC.readUInt32LE()
export const FRAME_HEAD_BYTES = 16
export const FRAME_BYTES_MAX = 1024 * 1024

const CRC_AT = 4
const SEQUENCE_AT = 8
const LENGTH_AT = 12

export interface FrameHead {
  /** Where the frame begins in the buffer; its payload is already behind the head. */
  readonly at: number
  readonly sequence: number
  readonly payloadBytes: number
}

/** Writes the head of a frame in front of its payload and returns the end of the frame. */
export function writeFrameHead(buffer: Buffer, { at, sequence, payloadBytes }: FrameHead): number {
  const end = at + FRAME_HEAD_BYTES + payloadBytes
  buffer.writeUInt32LE(MAGIC_NUMBER, at)
  buffer.writeUInt32LE(sequence, at + SEQUENCE_AT)
  buffer.writeUInt32LE(payloadBytes, at + LENGTH_AT)
  buffer.writeUInt32LE(crc32(buffer.subarray(at + SEQUENCE_AT, end)), at + CRC_AT)
  return end
}

/** The size of the frame that seems to begin here, or `undefined`. Needs `FRAME_HEAD_BYTES` bytes. */
export function frameBytesAt(buffer: Buffer, at: number): number | undefined {
  if (FRAME_MAGIC.compare(buffer, at, at + FRAME_MAGIC.length) !== 0) return undefined
  const bytes = FRAME_HEAD_BYTES + buffer.readUInt32LE(at + LENGTH_AT)
  return bytes <= FRAME_BYTES_MAX ? bytes : undefined
}

export function isFrameWhole(buffer: Buffer, at: number, bytes: number): boolean {
  return crc32(buffer.subarray(at + SEQUENCE_AT, at + bytes)) === buffer.readUInt32LE(at + CRC_AT)
}

export function sequenceAt(buffer: Buffer, at: number): number {
  return buffer.readUInt32LE(at + SEQUENCE_AT)
}
