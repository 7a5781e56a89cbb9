import { problem } from '@tollgate/kit/problem'
import { bindIdentity } from '@tollgate/store/identities'
import { doors } from './doors.ts'
import type { Person } from './person.ts'
import type { OAuthServices } from './services.ts'

/** Fills the user's empty slot; an identity somebody has, and a slot that is filled, are refused. */
export async function bindPerson(
  { store, clock, audit }: OAuthServices,
  { person, userId, address }: { person: Person; userId: number; address: string },
): Promise<void> {
  const { identity } = person
  const door = doors[identity.provider].label
  const result = await bindIdentity(store, { identity, userId, nowMs: clock.nowMs() })
  if (result === 'taken') throw problem('identity_taken', { door })
  if (result === 'filled') throw problem('identity_slot_filled', { door })
  if (result === 'gone') throw problem('not_found')
  const after = { provider: identity.provider, subject: identity.subject }
  await audit.write({ actorId: userId, action: 'bind', entity: 'identity', entityId: userId, after, address })
}
