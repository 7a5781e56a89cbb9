import { expect, it } from 'vitest'
import { formOf, isWebhookUrl } from './setting.ts'

it.each(['', '{', '[]', 'null', '{"notify_type":"pigeon","quota_warning_threshold":-1}'])(
  "starts with the site's threshold when %j is stored",
  (stored) => {
    const { form, hasSecret } = formOf(stored, 250_000)
    expect(form).toMatchObject({ notify_type: 'email', quota_warning_threshold: 250_000 })
    expect(hasSecret).toBe(false)
  },
)

it('shows the stored values, but only the existence of the secret', () => {
  const stored = JSON.stringify({
    notify_type: 'webhook',
    quota_warning_threshold: 1000,
    webhook_url: 'https://hooks.example/a',
    has_webhook_secret: true,
  })
  expect(formOf(stored, 250_000)).toMatchObject({
    form: { notify_type: 'webhook', quota_warning_threshold: 1000, webhook_secret: '' },
    hasSecret: true,
  })
})

it('requires a webhook with https and without a password in its address', () => {
  expect(isWebhookUrl('https://hooks.example/a', { isSuperAdmin: false })).toBe(true)
  for (const bad of ['http://hooks.example/a', 'hooks.example', '/a', 'https://me:it@hooks.example/'])
    expect(isWebhookUrl(bad, { isSuperAdmin: false })).toBe(false)
})

it('accepts any host without TLS from the super admin, because only the server knows which are allowed', () => {
  expect(isWebhookUrl('http://10.0.0.4:9000/a', { isSuperAdmin: true })).toBe(true)
  for (const bad of ['ftp://10.0.0.4/a', 'http://me:it@10.0.0.4/'])
    expect(isWebhookUrl(bad, { isSuperAdmin: true })).toBe(false)
})
