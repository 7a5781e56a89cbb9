import type { BatchOutcome } from '@tollgate/contract/batch'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { notifyDone, notifyFailure } from './notify.ts'

type Refused = BatchOutcome['refused'][number]

const NAMED_MAX = 5

/** Reports how many rows were changed, and names those that were not. */
export function notifyOutcome({ changed, refused }: BatchOutcome, done: (count: number) => string): void {
  if (changed > 0) notifyDone(done(changed))
  if (refused.length > 0) notifyFailure(refusedText(refused))
}

/** `Not changed: “a”, “b” (Used up), #7 (Not found)` */
export function refusedText(refused: readonly Refused[]): string {
  const { t } = sharedMessages
  const byReason = Map.groupBy(refused, ({ reason }) => reason)
  const rows = [...byReason].map(([reason, some]) => t('batch.reason', { names: namesOf(some), reason }))
  return t('batch.refused', { rows: rows.join(', ') })
}

function namesOf(rows: readonly Refused[]): string {
  const names = rows
    .slice(0, NAMED_MAX)
    .map(({ id, name }) => (name === '' ? `#${id}` : `“${name}”`))
    .join(', ')
  const more = rows.length - NAMED_MAX
  return more > 0 ? sharedMessages.t('batch.more', { names, more }) : names
}
