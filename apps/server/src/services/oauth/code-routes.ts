import { BOUND_MESSAGE, type CodeDoorName, type oauthRoutes } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/kit/problem'
import { Answer, type Handler } from '../handler.ts'
import { bindPerson } from './bind.ts'
import { type CodeDoor, authorizeUrl, exchangeCode } from './code-door.ts'
import { doors, requireOpen } from './doors.ts'
import { enter } from './enter.ts'
import type { OAuthServices } from './services.ts'
import { beginState, endState } from './states.ts'

export type CodeDoors = Readonly<Record<CodeDoorName, CodeDoor>>

/** Signed in, it is a binding that begins: how an account is entered changes only soon after proving to be its owner. */
export function beginAtDoor(
  services: OAuthServices,
  codeDoors: CodeDoors,
): Handler<typeof oauthRoutes.state> {
  return async ({ query, actor, browser }) => {
    if (query.provider) requireOpen(services.options, query.provider)
    const door = query.provider && codeDoors[query.provider]
    const purpose = { userId: actor?.id ?? 0, affCode: query.aff }
    const begun = await beginState(services, { ...purpose, door, browser })
    if (!door) return begun.state
    const authorize_url = await authorizeUrl(services, door, begun)
    return new Answer({ data: begun.state, extra: { authorize_url } })
  }
}

/** The browser is back: the same route signs in or binds, as it was begun. */
export function returnToDoor(services: OAuthServices, door: CodeDoor): Handler<typeof oauthRoutes.github> {
  const { label } = doors[door.name]
  return async ({ query, actor, browser, session, guard, address, language }) => {
    requireOpen(services.options, door.name)
    const { begun, userId, affCode } = await endState(services, {
      state: query.state,
      door: door.name,
      browser,
      actorId: actor?.id ?? 0,
    })
    guard.require({ when: userId !== 0 })
    if (query.error !== undefined || query.code === '') throw problem('door_denied', { door: label })
    const person = await exchangeCode(services, door, { begun, code: query.code, iss: query.iss })
    if (userId === 0) return enter(services, { person, affCode, session, address, language })
    await bindPerson(services, { person, userId, address, language })
    return new Answer({ data: null, message: BOUND_MESSAGE })
  }
}
