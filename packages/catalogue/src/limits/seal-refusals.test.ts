import { expect, it } from 'vitest'
import { isSealRefusal, sealRefusals } from './seal-refusals.ts'

it.each([
  ['', 'messages.3.content.0: Invalid `signature` in `thinking` block'],
  [
    '',
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
  ],
  ['', 'messages.12.content.1: Invalid `data` in `redacted_thinking` block'],
  ['', 'messages.1.content.0.thinking.signature: Field required'],
  ['', '***.***.content.0: Invalid `signature` in `thinking` block'],
  [
    '',
    'messages.3.content.8: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
  ],
  ['invalid_encrypted_content', 'any words'],
  ['', 'The encrypted content for item rs_0a1b could not be verified.'],
  ['', 'The encrypted content gAAA...DQ== could not be verified.'],
  ['', 'Unable to submit request because Thought signature is not valid.. Learn more: …'],
  ['', 'Corrupted thought signature.'],
])('an error with code %j and message %j refuses a seal', (code, message) => {
  expect(isSealRefusal({ code, message })).toBe(true)
})

it.each([
  ['invalid_request_error', 'messages.1.content.0: text content blocks must be non-empty'],
  ['', 'the caller wrote: messages.1.content.0: Invalid `signature` in `thinking` block'],
  ['rate_limit_exceeded', 'Corrupted'],
])('an error with code %j and message %j refuses none', (code, message) => {
  expect(isSealRefusal({ code, message })).toBe(false)
})

it('every sentence has its source', () => {
  for (const { source } of sealRefusals) expect(source.url).toMatch(/^https:/)
})
