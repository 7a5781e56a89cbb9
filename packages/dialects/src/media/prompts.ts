import { problem } from '@tollgate/problems/problem'
import { PROMPT_CHARACTERS_MAX } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import type { Member } from '../json-scan.ts'

/**
 * Members that describe the result. They are searched for filtered words, stored with the task and shown in
 * the console.
 */
const PROMPTS = ['prompt', 'negative_prompt', 'gpt_description_prompt', 'content'] as const

/** Throws a problem if a prompt in a parsed submission has too many characters. */
export function refuseLongPrompts(body: JsonObject): void {
  for (const param of PROMPTS) {
    const text = body[param]
    if (typeof text === 'string' && text.length > PROMPT_CHARACTERS_MAX) throw tooLong(param)
  }
}

/** The same check on the bytes before parsing, so that an overlong prompt is never decoded. */
export function refuseLongPromptBytes(bytes: Buffer, members: readonly Member[]): void {
  for (const { name, valueStart, valueEnd } of members) {
    const param = PROMPTS.find((prompt) => prompt === name)
    if (param === undefined || bytes[valueStart] !== QUOTE) continue
    if (charactersIn(bytes, valueStart + 1, valueEnd - 1) > PROMPT_CHARACTERS_MAX) throw tooLong(param)
  }
}

function tooLong(param: string) {
  return problem('member_text_too_long', { param, max: PROMPT_CHARACTERS_MAX })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/**
 * Number of UTF-16 code units of a JSON string between its quotes, without decoding it. A byte that is not
 * valid UTF-8 counts as one.
 */
function charactersIn(bytes: Buffer, start: number, end: number): number {
  let characters = 0
  for (let at = start; at < end; characters++) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2
    else if (byte < 0xc0) at += 1
    else if (byte < 0xe0) at += 2
    else if (byte < 0xf0) at += 3
    else {
      at += 4
      characters++
    }
  }
  return characters
}
