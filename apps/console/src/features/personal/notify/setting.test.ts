import { expect, it } from 'vitest'
import { formOf, isWebhookUrl, THRESHOLD_DEFAULT } from './setting.ts'

it.each(['', '{', '[]', 'null', '{"notify_type":"pigeon","quota_warning_threshold":-1}'])(
  'starts with the defaults where %j is stored',
  (stored) => {
    const { form, hasSecret } = formOf(stored)
    expect(form).toMatchObject({ notify_type: 'email', quota_warning_threshold: THRESHOLD_DEFAULT })
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
  expect(formOf(stored)).toMatchObject({
    form: { notify_type: 'webhook', quota_warning_threshold: 1000, webhook_secret: '' },
    hasSecret: true,
  })
})

it('wants a webhook over https, without a password in its address', () => {
  expect(isWebhookUrl('https://hooks.example/a')).toBe(true)
  for (const bad of ['http://hooks.example/a', 'hooks.example', '/a', 'https://me:it@hooks.example/'])
    expect(isWebhookUrl(bad)).toBe(false)
})
