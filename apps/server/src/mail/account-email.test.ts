import { accountEvents, changeAuthors } from '@tollgate/contract/account-safety'
import { describe, expect, test } from 'vitest'
import { type TellableChange, writeAccountEmail } from './account-email.ts'

const change: TellableChange = {
  event: 'password_changed',
  by: 'owner',
  provider: 'GitHub',
  email: 'n***@example.com',
  address: '203.0.113.9',
  atMs: Date.UTC(2026, 9, 8, 4, 11, 59),
  username: 'ada<b>',
  language: 'en',
  undoToken: '',
}
const site = { siteName: 'Zollhaus', siteAddress: 'https://gate.example' }

describe.each(['en', 'zh'] as const)('account email in %s', (language) => {
  test.each(accountEvents)(
    '%s names the user, the time and the address, and fills every placeholder',
    (event) => {
      for (const by of changeAuthors) {
        const { subject, text, html } = writeAccountEmail({ ...change, event, by, language }, site)
        expect(subject).toMatch(/^Zollhaus ./)
        expect(text).toContain('ada<b>')
        expect(html).toContain('ada&lt;b&gt;')
        expect(text).toContain('2026-10-08 04:11 UTC')
        expect(text).toContain('203.0.113.9')
        expect(text).not.toMatch(/undefined|null|\{\{/)
      }
    },
  )
})

test('a changed email address comes with a link that restores the old one', () => {
  const { text } = writeAccountEmail({ ...change, event: 'email_changed', undoToken: 'a-token' }, site)
  expect(text).toContain('https://gate.example/user/undo-email?token=a-token')
  expect(text).toContain('within 24 hours')
})

test('a site without a public address sends no link', () => {
  const { text } = writeAccountEmail({ ...change, undoToken: 'a-token' }, { ...site, siteAddress: '' })
  expect(text).not.toContain('http')
  expect(text).toContain('tell the administrator')
})

test('the network address of an administrator is left out', () => {
  const { text } = writeAccountEmail({ ...change, by: 'administrator', address: '' }, site)
  expect(text).toContain('This was done on 2026-10-08 04:11 UTC.')
})
