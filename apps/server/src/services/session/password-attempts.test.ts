import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { openGuessCounters, openPasswordAttempts } from './password-attempts.ts'

const claim = { userId: 7, name: 'victim', address: '192.0.2.1', isSignedIn: false, isHuman: false }

function openGuesses({ knows = '' }: { knows?: string } = {}) {
  const coordination = memoryCoordination({ clock: new ManualClock(), onFailure: () => undefined })
  return openPasswordAttempts({
    counters: openGuessCounters(coordination),
    networks: { has: async (_userId, address) => address === knows, add: async () => undefined },
    canReset: () => false,
  })
}

test('failures of an account are remembered even if many unknown names are tried meanwhile', async () => {
  const guesses = openGuesses()
  for (let guess = 0; guess < 5; guess++) await guesses.begin(claim)
  for (let name = 0; name < 21_000; name++)
    await guesses.begin({ ...claim, userId: undefined, name: `unknown ${name}` })
  await expect(guesses.begin(claim)).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('failures from a known network are remembered even if many other networks guess meanwhile', async () => {
  const guesses = openGuesses({ knows: '192.0.2.1' })
  for (let guess = 0; guess < 5; guess++) await guesses.begin(claim)
  for (let user = 100; user < 21_000; user++)
    await guesses.begin({ ...claim, userId: user, address: '198.51.100.1' })
  await expect(guesses.begin(claim)).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('an attempt that was not checked because of load does not count', async () => {
  const guesses = openGuesses()
  for (let guess = 0; guess < 300; guess++) await (await guesses.begin(claim)).takeBack()
  await guesses.begin(claim)
})
