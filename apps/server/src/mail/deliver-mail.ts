import type { Language } from '@tollgate/problems/problem'
import { z } from 'zod'
import type { Deliverer } from '../jobs/outbox-worker.ts'
import type { Clock } from '@tollgate/kit/clock'
import { MailFailure } from './failure.ts'
import type { Mailer } from './mailer.ts'
import { type EmailKind, writeEmail } from './templates.ts'

/** Queue entry of an email. It is rendered when it is sent and deleted afterwards. */
export interface QueuedMail {
  readonly to: string
  readonly language: Language
  readonly letter: EmailKind
  /** An email whose code has expired by the time it would be sent is dropped. */
  readonly expiresMs?: number
}

const letterSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('verification'), code: z.string(), minutes: z.number() }),
  z.object({ type: z.literal('address-known'), link: z.string() }),
  z.object({ type: z.literal('reset'), link: z.string(), minutes: z.number() }),
  z.object({ type: z.literal('notice'), title: z.string(), lines: z.array(z.string()), link: z.string() }),
  z.object({ type: z.literal('test'), server: z.string() }),
]) satisfies z.ZodType<EmailKind>

const queuedSchema = z.object({
  to: z.string(),
  language: z.enum(['en', 'zh']),
  letter: letterSchema,
  expiresMs: z.number().optional(),
})

/**
 * If it is unknown whether an email was delivered, it is not sent again: a missing email is better than a
 * duplicate.
 */
export function mailDeliverer(parts: {
  room: Pick<Mailer, 'send'>
  clock: Clock
  siteName: () => string
}): Deliverer {
  const { room, clock, siteName } = parts
  return {
    isRepeatable: false,
    deliver: async ({ cause, payload }) => {
      const { to, language, letter, expiresMs } = queuedSchema.parse(payload)
      if (expiresMs !== undefined && clock.nowMs() >= expiresMs)
        return { type: 'failed', reason: 'what it says is no longer true' }
      try {
        await room.send({ to, cause, letter: writeEmail(letter, { siteName: siteName(), language }) })
        return { type: 'done' }
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error
        return { type: error.next, reason: error.message }
      }
    },
  }
}
