import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { CallSignature } from '@tollgate/dialects/pair/pair'

/**
 * What a vendor wants back with the calls of tools in its earlier answers, for callers whose dialect or client has no place
 * for it. Kept for each user alone, for a while; what is not found again is written as lost.
 */
export interface CallSignatures {
  keep(userId: number, signed: CallSignature): void
  /** By the ids of calls. Never rejects. */
  recall(userId: number, callIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const MINUTE_MS = 60_000

/** A signature holds what was thought, sealed: some kilobytes as a rule. */
const SHELF = {
  lifetimeMs: 60 * MINUTE_MS,
  entriesMax: 50_000,
  bytesMax: 64 * 1024 * 1024,
  valueBytesMax: 256 * 1024,
}

export function openCallSignatures({ ttlCache }: Pick<Coordination, 'ttlCache'>): CallSignatures {
  const signatures = ttlCache('call-signatures', SHELF)
  return {
    keep: (userId, { callId, signature }) => signatures.put(keyOf(userId, callId), signature),
    recall: async (userId, callIds) => {
      const idByKey = new Map(callIds.map((callId) => [keyOf(userId, callId), callId]))
      const found = await signatures.find([...idByKey.keys()])
      return new Map([...found].map(([key, signature]) => [idByKey.get(key) ?? '', signature]))
    },
  }
}

/** Callers write ids of any length. */
function keyOf(userId: number, callId: string): string {
  return createHash('sha256').update(`${userId}\n${callId}`).digest('base64url')
}
