import { z } from 'zod'

/** The rule whose alert is sent while the database is a copy; all others wait until it is confirmed. */
export const COPY_RULE = 'copy'

const alertSchema = z.object({ message: z.object({ rule: z.string() }) })

/** Whether this work of the outbox is the alert that the database is a copy. */
export function isCopyAlert(payload: unknown): boolean {
  const alert = alertSchema.safeParse(payload)
  return alert.success && alert.data.message.rule === COPY_RULE
}
