import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { Secret } from './secret.ts'

it('a secret is only shown by reveal', () => {
  const secret = new Secret('sk-canary')
  const shown = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }),
    inspect(secret, { showHidden: true }),
  ]
  expect(shown.join(' ')).not.toContain('canary')
  expect(secret.reveal()).toBe('sk-canary')
})
