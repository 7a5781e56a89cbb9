import { expect, test } from 'vitest'
import { callbackQuery, oauthRoutes, telegramQuery } from './oauth.ts'

test.each(Object.entries(oauthRoutes).filter(([name]) => name !== 'discover' && name !== 'unbind'))(
  '%s is rate limited as critical and counts as a state change although it is a GET',
  (_name, route) => {
    expect(route).toMatchObject({ method: 'GET', rate: 'critical', changesState: true })
  },
)

test('a callback keeps the known query parameters and drops the rest', () => {
  const sent = { code: 'c', state: 's', iss: 'https://a', session_state: 'x', error_description: 'words' }
  expect(callbackQuery.parse(sent)).toEqual({ code: 'c', state: 's', iss: 'https://a' })
  expect(callbackQuery.parse({})).toEqual({ code: '', state: '' })
  expect(callbackQuery.safeParse({ code: 'x'.repeat(4097) }).success).toBe(false)
})

test('every field of the Telegram widget is kept, within limits', () => {
  const sent = { id: '1', auth_date: '2', hash: 'h', first_name: 'Ada', lang: 'zh' }
  expect(telegramQuery.parse(sent)).toEqual(sent)
  expect(telegramQuery.safeParse({ ...sent, first_name: ['a', 'b'] }).success).toBe(false)
  expect(telegramQuery.safeParse({ ...sent, photo_url: 'x'.repeat(1025) }).success).toBe(false)
})
