/**
 * Detects the media type from the first bytes of a file; `undefined` if they are not recognised. The detected
 * type takes precedence over the declared one.
 */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const known = SIGNS.find(({ sign }) => bytes.toString('latin1', 0, sign.length) === sign)
  if (known !== undefined) return known.type
  const container = bytes.toString('latin1', 0, 4) === 'RIFF' ? bytes.toString('latin1', 8, 12) : ''
  if (Object.hasOwn(IN_RIFF, container)) return IN_RIFF[container]
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return inBaseMedia(bytes.toString('latin1', 8, 12))
  // An MPEG layer III frame without an ID3 tag before it.
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2 ? 'audio/mpeg' : undefined
}

const SIGNS: readonly { readonly sign: string; readonly type: string }[] = [
  { sign: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { sign: '\xff\xd8\xff', type: 'image/jpeg' },
  { sign: 'GIF87a', type: 'image/gif' },
  { sign: 'GIF89a', type: 'image/gif' },
  { sign: '%PDF-', type: 'application/pdf' },
  { sign: 'ID3', type: 'audio/mpeg' },
  { sign: 'fLaC', type: 'audio/flac' },
  { sign: 'OggS', type: 'audio/ogg' },
  { sign: '\x1aE\xdf\xa3', type: 'video/webm' },
]

const IN_RIFF: Readonly<Record<string, string>> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
}

function inBaseMedia(brand: string): string {
  if (/^(?:heic|heix|hevc)$/.test(brand)) return 'image/heic'
  if (/^(?:mif1|msf1)$/.test(brand)) return 'image/heif'
  if (brand === 'avif') return 'image/avif'
  if (brand.startsWith('M4A')) return 'audio/mp4'
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}
