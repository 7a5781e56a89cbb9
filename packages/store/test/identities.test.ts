import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Identity,
  bindIdentity,
  findIdentityOwner,
  insertUserWithIdentity,
  lastUserId,
  listRootSignInMethods,
  unbindIdentity,
} from '../src/accounts/identities.ts'
import { insertOAuthState, takeOAuthState } from '../src/accounts/oauth-states.ts'
import type { Store } from '../src/database/open-store.ts'
import { removeExpired } from '../src/accounts/remove-expired.ts'
import { useOnce } from '../src/accounts/used-tokens.ts'
import { isUniqueViolation } from '../src/database/traits.ts'
import { findUser } from '../src/accounts/users.ts'
import { insertUser } from '../src/accounts/user-changes.ts'
import { someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

const nowMs = 1_750_000_000_000

describe.each(engines)('identities on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  let lastName = 0
  beforeAll(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterAll(() => place.remove())

  const newUser = (fields: object = {}) =>
    insertUser(store.db, {
      ...someUser,
      username: `user${++lastName}`,
      aff_code: `code${lastName}`,
      ...fields,
    })
  const take = (stateHash: string, fields: object = {}) =>
    takeOAuthState(store.db, { stateHash, browserHash: 'browser', nowMs, ...fields })
  const bind = (userId: number, identity: Identity) => bindIdentity(store.db, { identity, userId, nowMs })
  const update = (id: number, change: object) =>
    store.db.updateTable('users').set(change).where('id', '=', id).execute()
  const shownOf = async (id: number) => (await findUser(store.db, id))?.github_id

  it('a bound identity finds its user and shows in the user row', async () => {
    const id = await newUser()
    expect(await findIdentityOwner(store.db, github('1'))).toBeUndefined()
    expect(await bind(id, github('1'))).toBe('bound')
    expect(await findIdentityOwner(store.db, github('1'))).toEqual({
      id,
      status: 1,
      isDeleted: false,
      isPinned: true,
    })
    expect(await shownOf(id)).toBe('1')
    expect(await bind(id, github('1'))).toBe('bound')
  })

  it('subjects are compared exactly, including case and trailing spaces', async () => {
    const id = await newUser()
    await bind(id, { provider: 'oidc', issuer: 'https://a', subject: 'Sub', formerSubjects: [] })
    for (const [issuer, subject] of [
      ['https://a', 'sub'],
      ['https://a', 'Sub '],
      ['https://b', 'Sub'],
    ] as const)
      expect(
        await findIdentityOwner(store.db, { provider: 'oidc', issuer, subject, formerSubjects: [] }),
      ).toBeUndefined()
  })

  it('a user has one identity per provider, and an identity has one user', async () => {
    const [one, two] = [await newUser(), await newUser()]
    expect(await bind(one, github('10'))).toBe('bound')
    expect(await bind(one, github('11'))).toBe('filled')
    expect(await bind(two, github('10'))).toBe('taken')
    expect(await bind(999_999, github('12'))).toBe('gone')
    await update(two, { deleted_ms: 1 })
    expect(await bind(two, github('13'))).toBe('gone')
  })

  it('one of several users who bind the same identity at once gets it', async () => {
    const users = await Promise.all([newUser(), newUser(), newUser(), newUser()])
    const outcomes = await Promise.all(users.map((id) => bind(id, github('20'))))
    expect(outcomes.toSorted()).toEqual(['bound', 'taken', 'taken', 'taken'])
    const shown = await Promise.all(users.map(shownOf))
    expect(shown.filter((subject) => subject === '20')).toHaveLength(1)
  })

  it('one of several identities bound to one user at once is bound', async () => {
    const id = await newUser()
    const outcomes = await Promise.all(['30', '31', '32'].map((subject) => bind(id, github(subject))))
    expect(outcomes.filter((outcome) => outcome === 'bound')).toHaveLength(1)
  })

  it('an identifier of an older system finds its account until a binding pins the account', async () => {
    const id = await newUser()
    await update(id, { github_id: 'octocat' })
    const owner = await findIdentityOwner(store.db, github('40', ['octocat']))
    expect(owner).toMatchObject({ id, isPinned: false })
    expect(await bind(await newUser(), github('40', ['octocat']))).toBe('taken')
    expect(await bind(id, github('40', ['octocat']))).toBe('bound')
    expect(await shownOf(id)).toBe('40')
    expect(await findIdentityOwner(store.db, github('41', ['octocat']))).toBeUndefined()
    expect(await findIdentityOwner(store.db, github('41', ['40']))).toBeUndefined()
  })

  it('an identifier of an older system that equals the subject is pinned too', async () => {
    const id = await newUser()
    await update(id, { wechat_id: 'wx' })
    const identity: Identity = { provider: 'wechat', issuer: '', subject: 'wx', formerSubjects: ['wx'] }
    expect(await bind(id, identity)).toBe('bound')
    expect(await findIdentityOwner(store.db, identity)).toMatchObject({ id, isPinned: true })
  })

  it('an identifier of another person in the user row counts as a filled slot', async () => {
    const id = await newUser()
    await update(id, { github_id: 'somebody' })
    expect(await bind(id, github('50', ['octocat']))).toBe('filled')
    expect(await shownOf(id)).toBe('somebody')
  })

  it('a new user is inserted together with the identity or not at all', async () => {
    const insert = (username: string, identity: Identity) =>
      insertUserWithIdentity(
        store.db,
        { ...someUser, username, aff_code: `code${++lastName}` },
        { identity, nowMs },
      )
    const id = await insert('newcomer', github('60'))
    expect(await findIdentityOwner(store.db, github('60'))).toMatchObject({ id, isPinned: true })
    expect(await lastUserId(store.db)).toBe(id)
    const sameName = await insert('Newcomer', github('61')).catch((error: unknown) => error)
    expect(isUniqueViolation(sameName)).toBe(true)
    expect(await findIdentityOwner(store.db, github('61'))).toBeUndefined()
    const samePerson = await insert('another', github('60')).catch((error: unknown) => error)
    expect(isUniqueViolation(samePerson)).toBe(true)
    expect(
      await store.db.selectFrom('users').select('id').where('username', '=', 'another').execute(),
    ).toEqual([])
  })

  it('the identity of a removed user can be bound again', async () => {
    const id = await newUser()
    await bind(id, github('70'))
    await store.db.deleteFrom('users').where('id', '=', id).execute()
    expect(await findIdentityOwner(store.db, github('70'))).toBeUndefined()
    expect(await bind(await newUser(), github('70'))).toBe('bound')
  })

  it('unbinding passes the remaining ways to sign in to mayRemove and empties the slot', async () => {
    const id = await newUser({ password_hash: '' })
    await bind(id, github('80'))
    await bind(id, { provider: 'telegram', issuer: '', subject: '80', formerSubjects: [] })
    const asked: unknown[] = []
    const unbind = (mayRemove: boolean) =>
      unbindIdentity(store.db, {
        userId: id,
        provider: 'github',
        mayRemove: (left) => {
          asked.push(left)
          return mayRemove
        },
      })
    expect(await unbind(false)).toBe('refused')
    expect(await shownOf(id)).toBe('80')
    expect(await unbind(true)).toBe('removed')
    expect(await unbind(true)).toBe('absent')
    const ways = { hasPassword: false, providers: ['telegram'] }
    expect(asked).toEqual([ways, ways])
    expect(await shownOf(id)).toBe('')
    expect(await bind(id, github('81'))).toBe('bound')
  })

  it('two concurrent unbindings leave one way to sign in', async () => {
    const id = await newUser({ password_hash: '' })
    await bind(id, github('90'))
    await bind(id, { provider: 'telegram', issuer: '', subject: '90', formerSubjects: [] })
    const outcomes = await Promise.all(
      (['github', 'telegram'] as const).map((provider) =>
        unbindIdentity(store.db, { userId: id, provider, mayRemove: (left) => left.providers.length > 0 }),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['refused', 'removed'])
  })

  it('only the sign-in ways of active super admins are listed', async () => {
    expect(await listRootSignInMethods(store.db)).toEqual([])
    const id = await newUser({ role: 100 })
    await bind(id, github('100'))
    const off = await newUser({ role: 100 })
    await update(off, { status: 2 })
    expect(await listRootSignInMethods(store.db)).toEqual([{ hasPassword: true, providers: ['github'] }])
  })

  describe('a sign-in in progress', () => {
    it('a sign-in state is taken once, also by concurrent calls', async () => {
      await insertOAuthState(store.db, state('s1'))
      const taken = await Promise.all([take('s1'), take('s1'), take('s1')])
      expect(taken.filter((row) => row !== undefined)).toEqual([state('s1')])
      expect(await take('s1')).toBeUndefined()
    })

    it('a sign-in state is taken only by its own browser, and expires', async () => {
      await insertOAuthState(store.db, state('s2'))
      expect(await take('s2', { browserHash: 'another' })).toBeUndefined()
      expect(await take('s2', { nowMs: nowMs + 1000 })).toBeUndefined()
      await removeExpired(store.db, 'oauth_states', nowMs + 999)
      expect(await take('s2')).toEqual(state('s2'))
      await insertOAuthState(store.db, state('s3'))
      await removeExpired(store.db, 'oauth_states', nowMs + 1000)
      expect(await take('s3')).toBeUndefined()
    })
  })

  it('a mark is spent once until it expires and is removed', async () => {
    const spend = () => useOnce(store.db, { markHash: 'mark', expiresMs: nowMs })
    const outcomes = await Promise.all([spend(), spend(), spend()])
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await spend()).toBe(false)
    await removeExpired(store.db, 'spent_marks', nowMs - 1)
    expect(await spend()).toBe(false)
    await removeExpired(store.db, 'spent_marks', nowMs)
    expect(await spend()).toBe(true)
  })
})

function github(subject: string, formerSubjects: readonly string[] = []): Identity {
  return { provider: 'github', issuer: '', subject, formerSubjects }
}

function state(state_hash: string) {
  return {
    state_hash,
    browser_hash: 'browser',
    provider: 'github',
    user_id: 0,
    verifier_sealed: '',
    nonce: '',
    aff_code: '',
    expires_ms: nowMs + 1000,
  }
}
