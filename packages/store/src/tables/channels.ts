import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface ChannelTable {
  id: Generated<number>
  type: number
  name: string
  key_sealed: string
  key_preview: string
  status: number
  base_url: string
  other: string
  models: string
  group_names: string
  model_mapping: string
  status_code_mapping: string
  /** These three columns are encrypted: see `channels/secrets.ts`. */
  param_override: string
  header_override: string
  setting: string
  model_prefix: string
  openai_organization: string
  test_model: string
  tag: string
  /** What operators note about the channel. */
  remark: string
  priority: number
  weight: number
  auto_ban: Flag
  other_info: string
  balance: number
  /** `USD`, `CNY` …; "" when unknown. */
  balance_currency: string
  balance_updated_time: number
  response_time: number
  test_time: number
  /** Outcome of the last test; "" before the first one, and for tests from before outcomes were stored. */
  test_outcome: TestOutcome | ''
  /** HTTP status of the upstream's response; 0 when there was none. */
  test_status: number
  /** Why the test failed: at most `TEST_MESSAGE_CHARACTERS` characters, without secrets. */
  test_message: string
  /** The model of the last test. `test_model` is the model to test with. */
  tested_model: string
  created_time: number
  version: number
}

export type TestOutcome = 'ok' | 'failed'
