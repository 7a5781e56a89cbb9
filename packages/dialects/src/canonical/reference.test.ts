import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { anthropicUpstream } from '../anthropic/codec.ts'
import { geminiUpstream } from '../gemini/codec.ts'
import { openaiUpstream } from '../openai/chat/codec.ts'
import { responsesUpstream } from '../responses/codec.ts'
import { dialectReference } from './reference.ts'

const PAGE = new URL('../../../../docs/reference/dialects.md', import.meta.url)

it('matches docs/reference/dialects.md (`UPDATE_DOCS=1` rewrites the page)', () => {
  const page = dialectReference([
    { title: 'OpenAI chat', limits: openaiUpstream.limits },
    { title: 'Anthropic Messages', limits: anthropicUpstream.limits },
    { title: 'Gemini', limits: geminiUpstream.limits },
    { title: 'OpenAI Responses', limits: responsesUpstream.limits },
  ])
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
