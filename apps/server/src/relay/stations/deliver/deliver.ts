import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { endBytes, endStream, writeWhole } from './outlet.ts'
import { refuseWithFailure } from './refuse.ts'

/** Sends the caller the rest of the response, or the error of the last attempt. */
export function deliver({ call }: Pick<Held, 'call'>, outcome: Outcome): void {
  if (outcome.type === 'failed') return refuseWithFailure(call, outcome.failure)
  const { rest } = outcome
  if (rest?.type === 'whole') writeWhole(call, rest.answer)
  else if (rest?.type === 'frames') endStream(call, rest.frames)
  else if (rest?.type === 'bytes') endBytes(call, rest.bytes)
  else if (rest?.type === 'abort') call.response.destroy()
}
