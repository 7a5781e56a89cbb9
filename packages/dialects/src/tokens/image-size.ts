export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Enough for all relevant headers; a JPEG may contain a thumbnail before its own size. */
const HEADER_CHARACTERS_MAX = 96 * 1024

/** Reads the size of an image from a data URL, using the first bytes of PNG, GIF, WebP and JPEG files. */
export function sizeOfDataUrl(url: string): PixelSize | undefined {
  const comma = url.indexOf(',')
  if (comma < 0 || comma > 128) return undefined
  const bytes = Buffer.from(url.slice(comma + 1, comma + 1 + HEADER_CHARACTERS_MAX), 'base64')
  const size = readers.find((reader) => reader.is(bytes))?.read(bytes)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

interface SizeReader {
  readonly is: (bytes: Buffer) => boolean
  readonly read: (bytes: Buffer) => PixelSize | undefined
}

const readers: readonly SizeReader[] = [
  {
    is: (bytes) => bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47,
    read: (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  {
    is: (bytes) => bytes.length >= 10 && bytes.toString('latin1', 0, 4) === 'GIF8',
    read: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  {
    is: (bytes) => bytes.length >= 30 && bytes.toString('latin1', 8, 12) === 'WEBP',
    read: readWebp,
  },
  {
    is: (bytes) => bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8,
    read: readJpeg,
  },
]

function readWebp(bytes: Buffer): PixelSize | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
}

/** Walks the segments to the frame header, which is one of C0 to CF except the tables (C4, C8, CC). */
function readJpeg(bytes: Buffer): PixelSize | undefined {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0) return sizeAt(bytes, at + 5)
    if (marker === 0xc0) return sizeAt(bytes, at + 5)
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function sizeAt(bytes: Buffer, at: number): PixelSize {
  return { width: bytes.readUInt16BE(at + 2), height: bytes.readUInt16BE(at) }
}
