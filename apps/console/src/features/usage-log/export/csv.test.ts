import type { LogRow } from '@tollgate/contract/log'
import { expect, it } from 'vitest'
import { logCsv } from './csv.ts'

const row: LogRow = {
  id: 7,
  request_id: 'r7',
  user_id: 1,
  created_at: 1_795_219_200,
  type: 2,
  content: 'a "quoted", text',
  username: '=HYPERLINK("http://x")',
  token_id: 0,
  token_name: '批量\n翻译',
  model_name: 'm',
  quota: -5,
  prompt_tokens: 1,
  completion_tokens: 2,
  use_time: 0,
  duration_ms: 3,
  first_byte_ms: 4,
  is_stream: true,
  channel: 0,
  channel_name: '',
  group: '',
  ip: '',
  other: '',
}

it('quotes what must be quoted and disarms formulas', () => {
  const text = logCsv([row])
  expect(text.split('\r\n')[0]).toContain('id,created_at,type,username')
  expect(text).toContain('2026-11-21T00:00:00.000Z')
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).toContain('"批量\n翻译"')
  expect(text).toContain('"a ""quoted"", text"')
  expect(text).toContain(',-5,')
})
