import type { RedisLink } from './redis-link.ts'

const KEYS_AT_ONCE = '1000'
/** Bounds the work in a server that many programs share: at most two million keys are looked at. */
const ROUNDS_MAX = 2_000

/** The keys that begin with `place`, in groups; a key that is written meanwhile may be left out. */
export async function* scanKeys(link: RedisLink, place: string): AsyncGenerator<readonly string[]> {
  const pattern = `${place.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*`
  let cursor = '0'
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const reply = await link.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', KEYS_AT_ONCE])
    const [next, keys]: readonly unknown[] = Array.isArray(reply) ? reply : []
    const found = Array.isArray(keys) ? keys.map(String) : []
    if (found.length > 0) yield found
    cursor = String(next)
    if (next === undefined || cursor === '0') return
  }
}
