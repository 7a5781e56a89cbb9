import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'

/** Which channel's vendor keeps a response, by the user who got it. */
export interface KeptResponses {
  keep(userId: number, responseId: string, channelId: number): void
  /** The channel; `undefined` for a response that this user did not get. Never rejects. */
  find(userId: number, responseId: string): Promise<number | undefined>
}

const DAY_MS = 86_400_000
const BOUNDS = { lifetimeMs: DAY_MS, entriesMax: 50_000, bytesMax: 8 * 1024 * 1024, valueBytesMax: 16 }

export function openKeptResponses({ ttlCache }: Pick<Coordination, 'ttlCache'>): KeptResponses {
  const channels = ttlCache('kept-responses', BOUNDS)
  return {
    keep: (userId, responseId, channelId) => channels.put(keyOf(userId, responseId), String(channelId)),
    find: async (userId, responseId) => {
      const key = keyOf(userId, responseId)
      const text = (await channels.find([key])).get(key)
      return text === undefined || !/^\d{1,15}$/.test(text) ? undefined : Number(text)
    },
  }
}

function keyOf(userId: number, responseId: string): string {
  return createHash('sha256').update(`${userId}\n${responseId}`).digest('base64url')
}
