import { createHash } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import { listSeals } from '@tollgate/dialects/seals/seals'
import type { JsonObject } from '@tollgate/dialects/json'
import { CallSeals, isSealMark, type SealMark } from './call-seals.ts'

/**
 * What is known of the signatures and the encrypted reasoning in conversations, by owner and item: which account
 * wrote it, or that an upstream refused it.
 */
export interface SealBook {
  /** The seals of a request; `undefined` where it has none. Never rejects. */
  find(ownerId: number, operation: string, body: JsonObject): Promise<CallSeals> | undefined
  /** An upstream wrote a seal, or took it from a request. */
  noteAccount(ownerId: number, seal: string, account: string): void
  /** An upstream refused a seal: it is not sent any more, wherever the conversation goes on. */
  noteRefusal(ownerId: number, seal: string): void
}

const DAY_MS = 86_400_000
/** A process that wrote or read a mark need not ask for it again: the author of a seal does not change. */
const NEAR_MS = 600_000
const SHELF = {
  lifetimeMs: DAY_MS,
  entriesMax: 50_000,
  bytesMax: 16 * 1024 * 1024,
  valueBytesMax: 200,
  nearMs: NEAR_MS,
}

export function openSealBook({ ttlCache }: Pick<Coordination, 'ttlCache'>): SealBook {
  const marks = ttlCache('seals', SHELF)
  return {
    find: (ownerId, operation, body) => {
      const seals = listSeals(operation, body)
      if (seals.length === 0) return undefined
      return findMarks(ownerId, seals)
    },
    noteAccount: (ownerId, seal, account) => marks.put(hashSeal(ownerId, seal), account),
    noteRefusal: (ownerId, seal) => marks.put(hashSeal(ownerId, seal), REFUSED),
  }

  async function findMarks(ownerId: number, seals: readonly string[]): Promise<CallSeals> {
    const hashes = seals.map((seal) => hashSeal(ownerId, seal))
    const texts = await marks.find(hashes)
    const marked = new Map<string, SealMark>()
    for (const [at, seal] of seals.entries()) {
      const text = texts.get(hashes[at] ?? '')
      if (text !== undefined && isSealMark(text)) marked.set(seal, text)
    }
    return new CallSeals(marked)
  }
}

/** No account has this name: those of keys hold a slash, labels begin with an at sign. */
const REFUSED: SealMark = 'refused'

/** The hash holds the owner, so that nobody learns or changes what is known of another user's items. */
function hashSeal(ownerId: number, seal: string): string {
  return createHash('sha256').update(`${ownerId}\n${seal}`).digest('base64url')
}
