import type { BatchOutcome } from '@tollgate/contract/batch'
import type { tokenRoutes } from '@tollgate/contract/token'
import { Problem, problem } from '@tollgate/problems/problem'
import { findToken, updateToken } from '@tollgate/store/accounts/tokens'
import type { ChangeRow } from '../change.ts'
import type { Call, Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'
import { enabledOrNot } from './update.ts'

type SetStatus = typeof tokenRoutes.setStatusMany
type Refused = BatchOutcome['refused'][number]

/**
 * Each token is handled on its own: those that cannot be enabled stay unchanged, and the others are changed.
 */
export function setStatusOfOwnTokens(services: TokenServices): Handler<SetStatus> {
  return async (call) => {
    const outcomes = await services.change(call, {
      action: 'update',
      entity: 'token',
      work: async (transaction) => {
        const outcomes: Outcome[] = []
        for (const id of new Set(call.body.ids))
          outcomes.push(await setStatus({ ...services, store: transaction }, id, call))
        return outcomes
      },
      row: (outcomes) => outcomes.flatMap((outcome) => ('refused' in outcome ? [] : [outcome.row])),
    })
    const refused = outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : []))
    return { changed: outcomes.length - refused.length, refused }
  }
}

/** The audit row of a change, or why the token was not changed. */
type Outcome = { readonly row: ChangeRow } | { readonly refused: Refused }

async function setStatus(
  services: TokenServices,
  id: number,
  { actor, body, language }: Call<SetStatus>,
): Promise<Outcome> {
  const { store } = services
  const refused = (name: string, reason: Problem) => ({
    refused: { id, name, reason: reason.textIn(language) },
  })
  const row = await findToken(store, { id, ownerId: actor.id })
  if (row === undefined) return refused('', problem('not_found'))
  try {
    const status = enabledOrNot(services, row, body.status)
    await updateToken(store, { id, ownerId: actor.id, change: { status } })
    const before = { status: row.status }
    return { row: { entityId: id, before, after: { status }, notice: ['tokens', id] } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return refused(row.name, error)
  }
}
