const BYTES = 16

/** A name nobody else has. Made of random bytes, since browsers keep `randomUUID` from pages without HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
