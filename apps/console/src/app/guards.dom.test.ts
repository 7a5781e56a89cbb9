import { isRedirect } from '@tanstack/react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../shared/api/query-client.ts'
import { defineFeature } from '../shared/routing/feature.ts'
import { signIn, signOut } from '../shared/session/session.ts'
import { requireSetup, requireSignIn } from './guards.ts'

const page = defineFeature({
  name: 'log',
  path: '/log',
  access: 'user',
  layout: 'console',
  title: { en: 'Log', zh: '日志' },
  load: () => Promise.reject(new Error('not loaded here')),
})

beforeEach(() => localStorage.clear())

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  signOut()
})

function serverSays(status: { setup: boolean } | undefined) {
  vi.stubGlobal('fetch', () =>
    status === undefined
      ? Promise.reject(new TypeError('unreachable'))
      : Promise.resolve(Response.json({ success: true, message: '', data: { ...status, chats: [] } })),
  )
}

const targetOf = async (guard: () => unknown) => {
  try {
    await guard()
    return undefined
  } catch (error) {
    return isRedirect(error) ? error.options : Promise.reject(error)
  }
}

describe('a site that is not set up', () => {
  it('redirects every page to the setup page, except the setup page itself', async () => {
    serverSays({ setup: false })
    expect(await targetOf(() => requireSetup({ location: { pathname: '/log' } }))).toMatchObject({
      to: '/setup',
    })
    expect(await targetOf(() => requireSetup({ location: { pathname: '/setup' } }))).toBeUndefined()
  })
})

describe('a site that was already set up at the last visit', () => {
  it('does not wait for the server', async () => {
    localStorage.setItem('status', JSON.stringify({ setup: true }))
    serverSays(undefined)
    expect(await targetOf(() => requireSetup({ location: { pathname: '/log' } }))).toBeUndefined()
  })
})

describe('a protected page', () => {
  it('redirects a visitor to the sign-in page, with the address to return to', async () => {
    expect(await targetOf(() => requireSignIn(page, '/log?type=2'))).toMatchObject({
      to: '/login',
      search: { returnTo: '/log?type=2' },
    })
  })

  it('opens for a signed-in user, and a public page opens for everybody', async () => {
    expect(await targetOf(() => requireSignIn({ ...page, access: 'public' }, '/'))).toBeUndefined()
    signIn({ id: 7, username: 'lin', role: 1 })
    expect(await targetOf(() => requireSignIn(page, '/log'))).toBeUndefined()
  })
})
