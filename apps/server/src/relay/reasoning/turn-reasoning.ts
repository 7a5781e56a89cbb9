import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Cipher } from '@tollgate/kit/cipher'

/** Whose turns are looked up: nobody can ask for them once the token or the user is gone. */
export interface ReasoningOwner {
  readonly ownerId: number
  /** 0 for calls without a token. */
  readonly tokenId: number
}

export function findReasoningOwner({
  owner,
  token,
}: {
  readonly owner: { readonly id: number }
  readonly token: { readonly id: number } | undefined
}): ReasoningOwner {
  return { ownerId: owner.id, tokenId: token?.id ?? 0 }
}

/**
 * The reasoning of turns with calls, kept for vendors that demand it back and for callers whose client or dialect
 * does not send it. It is encrypted, in memory or in Redis only, for two hours; the oldest goes first.
 */
export interface TurnReasoning {
  keep(owner: ReasoningOwner, turn: string, reasoning: string): void
  /** The kept reasoning, by turn. Never rejects. */
  recall(owner: ReasoningOwner, turns: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const HOUR_MS = 3_600_000
export const REASONING_BYTES_MAX = 64 * 1024
/** A vendor reads the turns of the running task; older ones get what it takes instead. */
const TURNS_MAX = 256
const SHELF = {
  lifetimeMs: 2 * HOUR_MS,
  entriesMax: 50_000,
  bytesMax: 64 * 1024 * 1024,
  // Base64 takes a third more, and the cipher a few bytes.
  valueBytesMax: Math.ceil((REASONING_BYTES_MAX * 4) / 3) + 64,
}

export interface TurnReasoningDeps extends Pick<Coordination, 'ttlCache'> {
  readonly cipher: Pick<Cipher, 'encrypt' | 'decrypt'>
}

export function openTurnReasoning({ ttlCache, cipher }: TurnReasoningDeps): TurnReasoning {
  const shelf = ttlCache('turn-reasoning', SHELF)
  return {
    keep: (owner, turn, reasoning) => {
      if (Buffer.byteLength(reasoning) > REASONING_BYTES_MAX) return
      const key = hashTurn(owner, turn)
      shelf.put(key, cipher.encrypt(reasoning, key))
    },
    recall: async (owner, turns) => {
      const turnsByKey = new Map(turns.slice(-TURNS_MAX).map((turn) => [hashTurn(owner, turn), turn]))
      const sealedTexts = await shelf.find([...turnsByKey.keys()])
      return new Map([...sealedTexts].flatMap(([key, sealed]) => decrypted(turnsByKey.get(key), key, sealed)))
    },
  }

  /** A text of another secret is not there: it was kept before the secret was changed. */
  function decrypted(turn: string | undefined, key: string, sealed: string): [string, string][] {
    try {
      return turn === undefined ? [] : [[turn, cipher.decrypt(sealed, key)]]
    } catch {
      return []
    }
  }
}

function hashTurn({ ownerId, tokenId }: ReasoningOwner, turn: string): string {
  return `turn:${createHash('sha256').update(`${ownerId}\n${tokenId}\n${turn}`).digest('base64url')}`
}
