import { expect, it } from 'vitest'
import { formOf, isWebhookUrl } from './setting.ts'

it.each(['', '{', '[]', 'null', '{"notify_type":"pigeon","quota_warning_threshold":-1}'])(
  'starts with the threshold of the site where %j is stored',
  (stored) => {
    const { form, hasSecret } = formOf(stored, 250_000)
    expect(form).toMatchObject({ notify_type: 'email', quota_warning_threshold: 250_000 })
    expect(hasSecret).toBe(false)
  },
)

it('shows what is stored, and of the secret only that there is one', () => {
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

it('wants a webhook over https, without a password in its address', () => {
  expect(isWebhookUrl('https://hooks.example/a', { isSuperAdmin: false })).toBe(true)
  for (const bad of ['http://hooks.example/a', 'hooks.example', '/a', 'https://me:it@hooks.example/'])
    expect(isWebhookUrl(bad, { isSuperAdmin: false })).toBe(false)
})

it('leaves it to the server which hosts the super admin may name without TLS', () => {
  expect(isWebhookUrl('http://10.0.0.4:9000/a', { isSuperAdmin: true })).toBe(true)
  for (const bad of ['ftp://10.0.0.4/a', 'http://me:it@10.0.0.4/'])
    expect(isWebhookUrl(bad, { isSuperAdmin: true })).toBe(false)
})
