import { closeSync, fstatSync, openSync } from 'node:fs'
import { HEADER_BYTES, type JournalHeader, parseHeader } from './file-header.ts'
import { FrameReader } from './frame-reader.ts'

export interface JournalHead {
  readonly size: number
  readonly modifiedMs: number
  readonly header: JournalHeader | undefined
  /** `false` if the process died while it created the file. Then nothing is in it that was confirmed. */
  readonly isWhole: boolean
}

/** Throws if the file cannot be read. */
export function readHead(path: string): JournalHead {
  const fd = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(fd)
    return { size, modifiedMs: mtimeMs, ...headOf(fd, size) }
  } finally {
    closeSync(fd)
  }
}

function headOf(fd: number, size: number): Pick<JournalHead, 'header' | 'isWhole'> {
  if (size < HEADER_BYTES) return { header: undefined, isWhole: false }
  const frames = new FrameReader(fd, () => undefined)
  const first = frames.next(HEADER_BYTES)
  const header = first && parseHeader(first.payload)
  const headFrames = header?.headFrames ?? 1
  let sequence = header === undefined ? -1 : 0
  while (sequence < headFrames) {
    const frame = frames.next(size)
    if (frame === undefined) return { header, isWhole: false }
    sequence = frame.sequence
  }
  return { header, isWhole: true }
}
