import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { CallSignature } from '@tollgate/dialects/pair/pair'

/**
 * Signatures that a vendor requires back with the tool calls of its earlier responses, kept for callers whose
 * dialect or client has no place for them. They are stored per user and for a limited time; a signature that
 * is not found is sent as lost.
 */
export interface CallSignatures {
  keep(userId: number, signed: CallSignature): void
  /** Finds signatures by tool call id. Never rejects. */
  recall(userId: number, callIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const MINUTE_MS = 60_000

/** A signature contains the model's encrypted reasoning, usually a few kilobytes. */
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

/** Hashed because ids in requests may have any length. */
function keyOf(userId: number, callId: string): string {
  return createHash('sha256').update(`${userId}\n${callId}`).digest('base64url')
}
