const BYTES = 16

/** A unique random id. It uses random bytes, because browsers offer `randomUUID` only to pages with HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
