import type { Coordination } from '@tollgate/coordination/coordination'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import { z } from 'zod'
import { Answer } from '../services/handler.ts'

/**
 * Stores the responses to requests with an `Idempotency-Key`. When a console's connection breaks, it sends
 * the same operation again: it gets the first response, and nothing is saved twice. Without Redis, other
 * nodes do not know the stored responses.
 */
export interface IdempotencyStore {
  once(operation: IdempotentOperation, work: Work): Promise<Answer<unknown>>
}

type Work = () => Promise<Answer<unknown>>

export interface IdempotentOperation {
  readonly actorId: number
  /** Method and path. */
  readonly route: string
  /** The `Idempotency-Key` header; `undefined` when the caller sent none. */
  readonly key: string | undefined
  readonly body: unknown
}

/**
 * The lifetime is one hour, enough for a person to come back to a form; a response with a hundred redemption
 * codes fits the size limit.
 */
const SHELF = {
  lifetimeMs: 60 * 60_000,
  entriesMax: 5_000,
  bytesMax: 4 * 1024 * 1024,
  valueBytesMax: 16 * 1024,
}
const KEY = /^[\w-]{8,80}$/

const keptSchema = z.object({
  bodyHash: z.string(),
  answer: z.object({ data: z.unknown(), message: z.string(), extra: z.record(z.string(), z.unknown()) }),
})

interface Attempt {
  readonly bodyHash: string
  readonly answer: Promise<Answer<unknown>>
}

export function openIdempotencyStore(
  { ttlCache }: Pick<Coordination, 'ttlCache'>,
  cipher: Cipher,
): IdempotencyStore {
  const answers = ttlCache('repeated-operations', SHELF)
  const underWay = new Map<string, Attempt>()

  /** Responses may contain new keys, so they are stored encrypted. */
  async function keptFor(place: string) {
    const sealed = (await answers.find([place])).get(place)
    return sealed === undefined ? undefined : keptSchema.parse(JSON.parse(cipher.decrypt(sealed, place)))
  }

  async function answerOnce(place: string, bodyHash: string, work: Work): Promise<Answer<unknown>> {
    const kept = await keptFor(place)
    if (kept !== undefined) {
      if (kept.bodyHash !== bodyHash) throw problem('idempotency_key_used')
      return new Answer(kept.answer)
    }
    const answer = await work()
    answers.put(place, cipher.encrypt(JSON.stringify({ bodyHash, answer }), place))
    return answer
  }

  return {
    once: async ({ actorId, route, key, body }, work) => {
      if (key === undefined) return work()
      if (!KEY.test(key)) throw problem('idempotency_key_invalid')
      const place = sha256Hex(JSON.stringify([actorId, route, key]))
      const bodyHash = sha256Hex(JSON.stringify(body))
      const first = underWay.get(place)
      if (first !== undefined) {
        if (first.bodyHash !== bodyHash) throw problem('idempotency_key_used')
        return first.answer
      }
      const answer = answerOnce(place, bodyHash, work)
      underWay.set(place, { bodyHash, answer })
      try {
        return await answer
      } finally {
        underWay.delete(place)
      }
    },
  }
}
