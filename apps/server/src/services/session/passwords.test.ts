import { hash as bcryptHash } from 'bcryptjs'
import { expect, test } from 'vitest'
import { hashArgon2 } from './argon2.ts'
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
  const stored = await hashArgon2('correct horse', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  expect(await passwords.verify('correct horse', stored)).toEqual({ isRight: true, isOutdated: true })
})

test.each([
  [
    '$argon2id$v=19$m=19456,t=2,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
    false,
  ],
  ['$argon2id$v=19$m=8192,t=1,p=2$wpgVgF8GGlfKtxscqhsXPw$hycdV83bO+0DTHAbAN4zvnouyfaeL1g+iXhS3ad7VjQ', true],
  ['$argon2i$v=19$m=1024,t=1,p=1$bqsbY5nUM/9quWthmWBN6w$XUj6GBh8vbPhADBgKjnmHb1/hoVnF/2KXtFl+DSPXjc', true],
  ['$2b$10$DhWkWM.s4k21ko11pd3.6ORdWB97/SK2yLhyWdnakEt6nWP0ZLmPG', true],
])('a hash that a native library made before verifies: %s', async (stored, isOutdated) => {
  expect(await passwords.verify('correct horse', stored)).toEqual({ isRight: true, isOutdated })
  expect((await passwords.verify('wrong horse', stored)).isRight).toBe(false)
})

test.each([
  '$argon2id$v=19$m=9999999,t=2,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$argon2id$v=19$m=65537,t=2,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$argon2i$v=19$m=19456,t=5,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$argon2d$v=19$m=1048576,t=64,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$argon2id$v=19$m=19456,t=2,p=17$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$2b$15$DhWkWM.s4k21ko11pd3.6ORdWB97/SK2yLhyWdnakEt6nWP0ZLmPG',
  '$argon2id$v=19$m=8,t=2,p=2$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B+WSX5lO/76Bn2O/DEcZglVcOuLM',
  '$argon2id$v=19$m=19456,t=2,p=1$JyhBGvXgxkfSegCAHSxMhg',
  '$2b$31$DhWkWM.s4k21ko11pd3.6ORdWB97/SK2yLhyWdnakEt6nWP0ZLmPG',
  '$2b$10$DhWkWM.s4k21ko11pd3.6ORdWB97',
])('a stored hash that is damaged or would take hours counts as a wrong password: %s', async (stored) => {
  expect((await passwords.verify('correct horse', stored)).isRight).toBe(false)
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
