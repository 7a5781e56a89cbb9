/** Magic numbers of image formats; none of them can contain scripts that a browser would run. */
const BEGINNINGS: readonly { readonly type: string; readonly at: number; readonly bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
]

/** The type of an image by its bytes, regardless of its declared type; `undefined` for anything else. */
export function imageType(body: Buffer): string | undefined {
  return BEGINNINGS.find(({ at, bytes }) => body.toString('latin1', at, at + bytes.length) === bytes)?.type
}
