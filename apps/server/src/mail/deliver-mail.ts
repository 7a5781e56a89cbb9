import type { Language } from '@tollgate/kit/problem'
import { z } from 'zod'
import type { Deliverer } from '../jobs/outbox-worker.ts'
import type { Clock } from '@tollgate/kit/clock'
import { MailFailure } from './failure.ts'
import type { Mailer } from './mailer.ts'
import { type EmailKind, writeEmail } from './templates.ts'

/** What is queued of a mail: rendered when it is sent, forgotten afterwards. */
export interface QueuedMail {
  readonly to: string
  readonly language: Language
  readonly letter: EmailKind
  /** A code that is no longer valid when its turn comes is not sent at all. */
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

/** A mail whose fate nobody knows is not sent again: better one too few than one too many. */
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
