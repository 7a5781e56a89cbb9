import { recordAt, type JsonObject } from '../json.ts'
import type { CacheMarker } from './part.ts'

/**
 * Reads a cache marker in Anthropic's form. Chat completions have none, but callers who know which vendor is
 * behind the gateway send it there too.
 */
export function readCache(part: JsonObject): CacheMarker | undefined {
  const marker = recordAt(part, 'cache_control')
  if (marker === undefined) return undefined
  return { ttl: marker['ttl'] === '1h' ? '1h' : '5m' }
}
