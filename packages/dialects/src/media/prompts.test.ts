import { describe, expect, test } from 'vitest'
import { PROMPT_CHARACTERS_MAX } from '../json-limits.ts'
import { scanObject } from '../json-scan.ts'
import { refuseLongPromptBytes, refuseLongPrompts } from './prompts.ts'

function isRefused(work: () => void): boolean {
  try {
    work()
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'member_text_too_long' })
    return true
  }
}

function refusals(text: string): readonly boolean[] {
  const bytes = Buffer.from(text)
  return [
    isRefused(() => refuseLongPromptBytes(bytes, scanObject(bytes).members)),
    isRefused(() => refuseLongPrompts(JSON.parse(text))),
  ]
}

describe('the length limit of a prompt', () => {
  test.each([
    ['letters', 'a'],
    ['Chinese', '好'],
    ['Greek', 'λ'],
    ['pictures of two units', '😀'],
    ['line breaks', '\n'],
    ['quotes', '"'],
    ['control characters', '\u0001'],
    ['halves of pairs', '\ud83d'],
  ])('gives the same result before and after a submission is parsed: %s', (_name, character) => {
    const most = PROMPT_CHARACTERS_MAX / character.length
    expect(refusals(JSON.stringify({ prompt: character.repeat(most) }))).toEqual([false, false])
    expect(refusals(JSON.stringify({ prompt: character.repeat(most + 1) }))).toEqual([true, true])
    expect(refusals(JSON.stringify({ other: character.repeat(most + 1) }))).toEqual([false, false])
  })

  test('applies only to a string', () => {
    const long = 'a'.repeat(PROMPT_CHARACTERS_MAX + 1)
    expect(refusals(JSON.stringify({ prompt: [long] }))).toEqual([false, false])
  })
})
