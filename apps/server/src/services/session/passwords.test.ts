import { hash as argonHash } from '@node-rs/argon2'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { expect, test } from 'vitest'
import { openPasswords } from './passwords.ts'

const passwords = openPasswords()
const WRONG = { isRight: false, isOutdated: false }

test('a hash is salted, memory-hard and matches only its own password', async () => {
  const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await passwords.verify('correct horse', one)).toEqual({ isRight: true, isOutdated: false })
  expect(await passwords.verify('wrong horse', one)).toEqual(WRONG)
})

test('a bcrypt hash stored by new-api verifies and is reported as outdated', async () => {
  const stored = (await bcryptHash('correct horse', 4)).replace('$2b$', '$2a$')
  expect(await passwords.verify('correct horse', stored)).toEqual({ isRight: true, isOutdated: true })
  expect((await passwords.verify('wrong horse', stored)).isRight).toBe(false)
})

test('an Argon2 hash with a lower cost verifies and is reported as outdated', async () => {
  const stored = await argonHash('correct horse', { memoryCost: 8192, timeCost: 1 })
  expect(await passwords.verify('correct horse', stored)).toEqual({ isRight: true, isOutdated: true })
})

test('an unknown user, a user without a password and a damaged hash all count as a wrong password', async () => {
  for (const stored of [undefined, '', '*', '$1$md5'])
    expect(await passwords.verify('nobody has this password', stored)).toEqual(WRONG)
})

test('calls beyond the queue limit are refused instead of queued', async () => {
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify('x', '*')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(70 - 2 - 64)
  await expect(passwords.verify('x', '*')).resolves.toEqual(WRONG)
})
