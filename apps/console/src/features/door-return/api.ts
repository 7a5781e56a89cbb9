import type { Self } from '@tollgate/contract/user'
import { type CodeDoorName, oauthRoutes } from '@tollgate/contract/oauth'
import { api } from '../../shared/api/client.ts'
import { sessionUser } from '../../shared/session/session.ts'

export const returnDoors = ['github', 'oidc', 'linuxdo', 'telegram'] as const
export type ReturnDoor = (typeof returnDoors)[number]

export function isReturnDoor(name: string | undefined): name is ReturnDoor {
  return returnDoors.some((door) => door === name)
}

/** Who signed in, or `undefined` when an identity was bound to who was signed in already. */
export async function comeBack(
  door: ReturnDoor,
  fields: Readonly<Record<string, string>>,
): Promise<Self | undefined> {
  if (door === 'telegram') return comeBackFromTelegram(fields)
  return (await api.call(oauthRoutes[door], { query: knownFields(fields) })) ?? undefined
}

/** The widget does not say what it was pressed for: signed in, it was to bind. Every field is signed, so all go on. */
async function comeBackFromTelegram(query: Readonly<Record<string, string>>): Promise<Self | undefined> {
  if (sessionUser() === undefined) return api.call(oauthRoutes.telegram, { query })
  await api.call(oauthRoutes.bindTelegram, { query })
  return undefined
}

function knownFields({ code, state, iss, error }: Readonly<Record<string, string>>) {
  return {
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error: error.slice(0, 200) }),
  }
}

export function isCodeDoor(door: ReturnDoor): door is CodeDoorName {
  return door !== 'telegram'
}
