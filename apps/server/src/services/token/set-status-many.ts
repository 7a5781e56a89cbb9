import type { BatchOutcome } from '@tollgate/contract/batch'
import type { tokenRoutes } from '@tollgate/contract/token'
import { Problem, problem } from '@tollgate/kit/problem'
import { findToken, updateToken } from '@tollgate/store/accounts/tokens'
import type { Call, Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'
import { enabledOrNot } from './update.ts'

type SetStatus = typeof tokenRoutes.setStatusMany
type Refused = BatchOutcome['refused'][number]

/**
 * Each token is handled on its own: those that cannot be enabled stay unchanged, and the others are changed.
 */
export function setStatusOfOwnTokens(services: TokenServices): Handler<SetStatus> {
  const { store, notices } = services
  return async (call) => {
    const changed: number[] = []
    const refused: Refused[] = []
    await store.transaction().execute(async (transaction) => {
      const within = { ...services, store: transaction }
      for (const id of new Set(call.body.ids)) {
        const refusal = await setStatus(within, id, call)
        if (refusal === undefined) changed.push(id)
        else refused.push(refusal)
      }
    })
    for (const id of changed) await notices.publish('tokens', id)
    return { changed: changed.length, refused }
  }
}

/** Returns why the token was not changed, or `undefined` if the change succeeded. */
async function setStatus(
  services: TokenServices,
  id: number,
  { actor, body, address, language }: Call<SetStatus>,
): Promise<Refused | undefined> {
  const { store, audit } = services
  const row = await findToken(store, { id, ownerId: actor.id })
  if (row === undefined) return { id, name: '', reason: problem('not_found').textIn(language) }
  try {
    const status = enabledOrNot(services, row, body.status)
    await updateToken(store, { id, ownerId: actor.id, change: { status } })
    const change = { before: { status: row.status }, after: { status } }
    const note = { actorId: actor.id, action: 'update', entity: 'token', entityId: id, address }
    await audit.write({ ...note, ...change }, store)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { id, name: row.name, reason: error.textIn(language) }
  }
}
