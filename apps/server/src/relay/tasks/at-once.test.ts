import { expect, test } from 'vitest'
import { AtOnce } from './at-once.ts'

test('work beyond the maximum is refused until other work has ended or failed', async () => {
  const downloads = new AtOnce(2)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const [one, two] = [downloads.run(() => first.promise), downloads.run(() => second.promise)]
  await expect(downloads.run(async () => undefined)).rejects.toMatchObject({ code: 'gateway_busy' })
  first.resolve()
  await one
  await downloads.run(async () => undefined)
  second.reject(new Error('broken'))
  await expect(two).rejects.toThrow('broken')
  await Promise.all([1, 2].map(() => downloads.run(async () => undefined)))
})
