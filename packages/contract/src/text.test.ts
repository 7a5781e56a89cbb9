import { expect, it } from 'vitest'
import { displayNameSchema } from './account-rules.ts'
import { hasControls, withoutControls } from './text.ts'

it('names accept every script and emoji, and reject characters that change the text direction', () => {
  for (const name of ['مرحبا بك', 'שלום', '👩‍👩‍👧‍👦', 'Ada L.', '名前'])
    expect(displayNameSchema.safeParse(name).success).toBe(true)
  for (const name of ['a\u202Eb', 'a\u2066b', 'a\u0000b', 'a\tb']) {
    expect(displayNameSchema.safeParse(name).success).toBe(false)
    expect(hasControls(name)).toBe(true)
    expect(withoutControls(name)).toBe('a b')
  }
})
