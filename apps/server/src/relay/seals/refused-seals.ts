import { isSealRefusal } from '@tollgate/catalogue/limits/seal-refusals'
import type { Call } from '../call.ts'
import type { Failed, Outcome } from '../outcome.ts'
import type { CallSeals } from './call-seals.ts'
import { findSealAccount, type SealingChannel } from './seal-account.ts'
import type { SealBook } from './seal-book.ts'

interface SealedCall {
  readonly call: Pick<Call, 'sentSeals'>
  readonly caller: { readonly owner: { readonly id: number } }
  readonly seals?: CallSeals | undefined
}

interface SealReader {
  readonly channel: SealingChannel
  readonly keyIndex: number
}

/** Adds the seals that the upstream refused, as far as the request had some that can be taken out. */
export function withRefusedSeals(failed: Failed, { seals, call: { sentSeals } }: SealedCall): Failed {
  const { vendorError } = failed.failure
  if (seals === undefined || sentSeals.length === 0 || vendorError === undefined) return failed
  if (!isSealRefusal(vendorError)) return failed
  return { ...failed, refusedSeals: seals.listSuspects(sentSeals) }
}

/** Remembers refused seals for the conversation, so that this call and later ones go on without them. */
export function noteRefusedSeals(
  { seals, caller }: SealedCall,
  refused: readonly string[],
  sealBook: Pick<SealBook, 'noteRefusal'>,
): void {
  seals?.refuse(refused)
  for (const seal of refused) sealBook.noteRefusal(caller.owner.id, seal)
}

/** An upstream that answered could read the seals of the request. */
export function noteReadSeals(
  { seals, caller, call }: SealedCall,
  { channel, keyIndex }: SealReader,
  { sealBook, outcome }: { readonly sealBook: Pick<SealBook, 'noteAccount'>; readonly outcome: Outcome },
): void {
  if (seals === undefined || !hasAnswered(outcome)) return
  const account = findSealAccount(channel, keyIndex)
  for (const seal of call.sentSeals)
    if (!seals.hasAuthor(seal)) sealBook.noteAccount(caller.owner.id, seal, account)
}

function hasAnswered(outcome: Outcome): boolean {
  return outcome.type === 'delivered' && outcome.reading.error === undefined && outcome.reading.hasOutput
}
