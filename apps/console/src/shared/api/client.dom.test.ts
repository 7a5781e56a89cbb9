import { statusRoutes } from '@tollgate/contract/status'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setLanguage } from '../i18n/language.ts'
import { sessionUser, signIn, signOut } from '../session/session.ts'
import { api } from './client.ts'

const user = { id: 7, username: 'lin.wei', display_name: 'Lin Wei', role: 1, group: 'default' }
const assign = vi.fn()

beforeEach(() => {
  signIn(user)
  vi.stubGlobal('location', { pathname: '/log', search: '?type=2', hash: '', assign })
})

afterEach(async () => {
  vi.unstubAllGlobals()
  assign.mockReset()
  signOut()
  await setLanguage('en')
})

function answering(status: number, body: unknown) {
  const fetch = vi.fn<typeof globalThis.fetch>(() =>
    Promise.resolve(new Response(JSON.stringify(body), { status })),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

it('sends the user id and the language', async () => {
  const fetch = answering(200, { success: true, message: '', data: 'words' })
  await setLanguage('zh')
  expect(await api.call(statusRoutes.about)).toBe('words')
  expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Tollgate-User': '7', 'Accept-Language': 'zh' })
})

it('sends the user id -1 before signing in', async () => {
  signOut()
  const fetch = answering(200, { success: true, message: '', data: '' })
  await api.call(statusRoutes.about)
  expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Tollgate-User': '-1' })
})

it('signs out when the session has expired, and passes the current page as the return address', async () => {
  answering(401, { success: false, message: 'Not signed in' })
  await expect(api.call(statusRoutes.about)).rejects.toThrow('Not signed in')
  expect(sessionUser()).toBeUndefined()
  expect(localStorage.getItem('user')).toBeNull()
  expect(assign).toHaveBeenCalledExactlyOnceWith('/login?expired=true&returnTo=%2Flog%3Ftype%3D2')
})

it.each(['/', '/pricing', '/about'])('stays on %s, which requires no sign-in', async (pathname) => {
  vi.stubGlobal('location', { pathname, search: '', hash: '', assign })
  answering(401, { success: false, message: 'no' })
  await expect(api.call(statusRoutes.about)).rejects.toThrow('no')
  expect(sessionUser()).toBeUndefined()
  expect(assign).not.toHaveBeenCalled()
})

it('keeps the hash in the return address', async () => {
  vi.stubGlobal('location', { pathname: '/setting', search: '?tab=other', hash: '#footer', assign })
  answering(401, { success: false, message: 'no' })
  await expect(api.call(statusRoutes.about)).rejects.toThrow('no')
  expect(assign).toHaveBeenCalledExactlyOnceWith(
    '/login?expired=true&returnTo=%2Fsetting%3Ftab%3Dother%23footer',
  )
})

it('stays on the login page', async () => {
  vi.stubGlobal('location', { pathname: '/login', search: '', hash: '', assign })
  answering(401, { success: false, message: 'no' })
  await expect(api.call(statusRoutes.about)).rejects.toThrow('no')
  expect(assign).not.toHaveBeenCalled()
})
